import { prng } from "../../support/prng.ts";
import type { Attack, Draw, Group } from "./attack.ts";

/** The result of a group. */
export interface Survived {
  readonly group: string;
  readonly must: string;
  readonly tried: number;
  /** `name: what was seen`, for each attack that broke its law. */
  readonly broken: readonly string[];
}

/** Tries a group's attacks one after the other, or a random sample of `most` of them. */
export async function runGroup(
  { name, must, attacks }: Group,
  draw: Draw,
  most = Number.POSITIVE_INFINITY,
): Promise<Survived> {
  const all = await attacks(draw);
  const chosen = all.length <= most ? all : sample(all, most, draw.seed);
  const broken: string[] = [];
  for (const attack of chosen) {
    try {
      await attack.run();
    } catch (error) {
      broken.push(`${attack.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { group: name, must, tried: chosen.length, broken };
}

function sample(all: readonly Attack[], most: number, seed: number): readonly Attack[] {
  const left = [...all];
  const draws = prng(seed);
  return Array.from({ length: most }, () => left.splice(draws.int(left.length), 1)).flat();
}
