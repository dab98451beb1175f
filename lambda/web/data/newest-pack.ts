import { readPackName } from "../../core/period-name.ts";
import { TAX_YEARS } from "../../core/tax-years.ts";
import type { PackEntry, PackPeriod } from "../packs.ts";

/**
 * `packs`: by period, newest first. Returns the newest complete version of the first period, or its newest
 * version if none is complete; null if there is no pack.
 */
export function newestOf<Pack extends PackEntry>(packs: readonly Pack[]): Pack | null {
  const versions = packs.filter(({ period }) => period === packs[0]?.period);
  return versions.find(({ latest }) => latest) ?? versions[0] ?? null;
}

/** The newest tax year that is over, or else the first period. `periods`: newest first. `now`: ms UTC. */
export function leadingPeriod(periods: readonly PackPeriod[], now: number): PackPeriod | null {
  return periods.find(({ name }) => isFinishedTaxYear(name, now)) ?? periods[0] ?? null;
}

function isFinishedTaxYear(name: string, now: number): boolean {
  const read = readPackName(name);
  const code = read?.typed?.split("-")[0];
  return read !== null && TAX_YEARS.some((one) => one.code === code) && Date.parse(read.to) <= now;
}
