import { readFileSync } from "node:fs";
import { drawScenario, type Scenario } from "./scenario.ts";

export interface Found {
  readonly why: string;
  readonly scenario: Scenario;
  /** Not repaired yet: it still fails. */
  readonly isOpen?: boolean;
}

/**
 * What drawing has found before. Kept as scenarios, since a seed means another one as soon as drawing
 * changes.
 */
export const CORPUS: readonly Found[] = JSON.parse(readFileSync(new URL("corpus.json", import.meta.url), "utf8"));

/** The scenario of a seed: the one that is kept, or the one that it draws. */
export function scenarioOf(seed: number): Scenario {
  return CORPUS.find(({ scenario }) => scenario.seed === seed)?.scenario ?? drawScenario(seed);
}
