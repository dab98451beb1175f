import { readPackName } from "../../core/period-name.ts";
import { TAX_YEARS } from "../../core/tax-years.ts";
import type { AccountStores, PackEntry, PackPeriod, PackStatement } from "../packs.ts";
import { packClaims } from "./catalogue.ts";
import { newestFirst } from "./periods.ts";
import { packPeriods, packVersions } from "./versions.ts";

/** The pack with which an account is shown. */
export interface LeadingPack {
  readonly pack: PackEntry;
  /** Null if it is missing or unreadable. */
  readonly claim: PackStatement | null;
}

/** An account's leading pack, and the names of all periods that have packs, newest first. */
export interface AccountPacks {
  readonly leading: LeadingPack | null;
  readonly periods: readonly string[];
}

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

/** It lists the periods and the keys of one of them, and reads one file of that pack. */
export async function accountPacks(stores: AccountStores, now: number): Promise<AccountPacks> {
  const periods = newestFirst(await packPeriods(stores));
  const period = leadingPeriod(periods, now);
  const pack = period === null ? null : newestOf(await packVersions(stores, [period]));
  const [claim = null] = pack === null ? [] : await packClaims(stores, [pack]);
  return { leading: pack && { pack, claim }, periods: periods.map(({ name }) => name) };
}
