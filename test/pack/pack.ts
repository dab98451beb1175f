import type { Fill } from "../../lambda/core/fill.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import type { Inputs } from "../../lambda/inputs/inputs.ts";
import { DEFAULT_ACCOUNT_SETTINGS, parseAccountSettings } from "../../lambda/pack/make/account-settings.ts";
import { type Pack, writePack } from "../../lambda/pack/make/publish.ts";
import type { PackRequest } from "../../lambda/pack/make/request.ts";
import { type FillFields, makeFill } from "../support/make-fill.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { readCsv, recordsOf } from "../support/rfc4180.ts";
import { type PreparedArchive, prepareArchive } from "./archive.ts";
import { KNOWN_TOOLS } from "./exports/tools.ts";
import { NO_INPUTS } from "./inputs.ts";

export const MARCH = parsePeriod("month-2025-03");
export const WIDE: TimeRange = { from: MARCH.from - 40 * DAY_MS, to: MARCH.to + 40 * DAY_MS };

/** A fill so many days after the beginning of March. */
export function fillOn(day: number, changes: Partial<FillFields> = {}): Fill {
  return makeFill({ matchId: `m${day}`, txCreated: MARCH.from + day * DAY_MS, filledAt: null, ...changes });
}

/** The files that the contract names, but for those of some packs only. A pack may have more. */
export const CONTRACT: readonly string[] = [
  ...["fills.csv", "fills.parquet", "restatements.csv", "exceptions.csv", "realised-pnl.csv", "summary.csv"],
  ...["summary-months.csv", "summary-days.csv", "fees.csv", "closed-trades.csv", "open-positions.csv", "open-lots.csv"],
  ...["balance.csv", ...KNOWN_TOOLS.map(({ file }) => `imports/${file}`), "journal.csv", "journal.beancount"],
  ...["journal.hledger", "control-totals.csv", "workbook.xlsx", "report.html", "completeness.json"],
  ...["datapackage.json", "SHA256SUMS"],
];

export interface PackOptions extends Partial<Omit<PackRequest, "accounts">> {
  readonly inputs?: Inputs;
  readonly contractTypes?: ReadonlyMap<string, string | null>;
  /** When the period was read twice, ms UTC. */
  readonly readAt?: number | null;
}

/** The pack of March from an archive. */
export async function packFrom(
  store: MemoryStore,
  { manifest, readUnit, readRestatements }: PreparedArchive,
  { inputs = NO_INPUTS, contractTypes = new Map(), readAt = null, ...request }: PackOptions = {},
): Promise<Pack> {
  const readTwiceAt = () => Promise.resolve(readAt);
  return await writePack({
    name: "main",
    accounts: [{ account: "main", manifest, readUnit, readRestatements, readTwiceAt, inputs, contractTypes }],
    location: inputs.location,
    files: inputs.files,
    settings:
      inputs.accounts === null ? DEFAULT_ACCOUNT_SETTINGS : parseAccountSettings(inputs.accounts, "accounts.json"),
    packStore: store,
    period: MARCH,
    method: "average",
    isMethodChosen: false,
    basis: "fill",
    currency: null,
    beginning: 0,
    allowIncomplete: false,
    ...request,
  });
}

/** The same from fills, in data files of a week each. */
export function packOf(
  store: MemoryStore,
  fills: readonly Fill[],
  request: PackOptions = {},
  coverage = WIDE,
): Promise<Pack> {
  return packFrom(store, prepareArchive(fills, 7 * DAY_MS, coverage), request);
}

export function bytesOf(store: MemoryStore, pack: Pack, path: string): Buffer {
  const body = store.snapshot().get(`${pack.dir}/${path}`);
  if (body === undefined) {
    throw new Error(`no ${path}`);
  }
  return Buffer.from(body);
}

/** Records, the first of which is the header. */
export function csvOf(store: MemoryStore, pack: Pack, path = "fills.csv"): string[][] {
  return readCsv(String(bytesOf(store, pack, path)).replace(/^\uFEFF/, ""));
}

/** The rows of a CSV file, by the names of its columns. */
export function rowsOf(store: MemoryStore, pack: Pack, path: string): Record<string, string>[] {
  return recordsOf(bytesOf(store, pack, path).toString());
}

export function completenessOf(store: MemoryStore, pack: Pack) {
  return JSON.parse(bytesOf(store, pack, "completeness.json").toString());
}

/** All files of a pack of one account, in listing order. */
export const FILES: readonly string[] = (await packOf(memoryStore(), [])).files.map(({ path }) => path);
