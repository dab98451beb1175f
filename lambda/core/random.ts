import { randomUUID } from "node:crypto";

/** Randomness for the program. Nothing else may draw random numbers. */
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
