import { readFileSync } from "node:fs";
import { drawScenario, type Scenario } from "./scenario.ts";

export interface Found {
  readonly why: string;
  readonly scenario: Scenario;
  /** Not repaired yet: the case still fails. */
  readonly isOpen?: boolean;
}

/**
 * Failures that random scenarios found earlier. They are kept as scenarios, because a seed gives another
 * scenario as soon as the drawing changes.
 */
export const CORPUS: readonly Found[] = JSON.parse(readFileSync(new URL("corpus.json", import.meta.url), "utf8"));

/** The scenario of a seed: the kept one if there is one, else the drawn one. */
export function scenarioOf(seed: number): Scenario {
  return CORPUS.find(({ scenario }) => scenario.seed === seed)?.scenario ?? drawScenario(seed);
}
