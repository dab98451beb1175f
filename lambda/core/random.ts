import { randomUUID } from "node:crypto";

/** Randomness as the program sees it. Nothing else may draw. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A name that no other run has. */
  id(): string;
}

export const systemRandom: Random = {
  next: () => Math.random(),
  id: () => randomUUID(),
};
