import { sha256InKey, sha256Of } from "../../archive/keys.ts";
import { createContent, readContent } from "../../archive/objects.ts";
import type { Clock } from "../../core/clock.ts";
import { asFillbookError, FillbookError, stopIfAborted } from "../../core/errors.ts";
import { fieldsIn, isRecord } from "../../core/record.ts";
import { listed } from "../../core/text.ts";
import { DAY_MS } from "../../core/time.ts";
import { canonicalJson } from "../../formats/json.ts";
import type { Store } from "../../storage/store.ts";

/**
 * The contract types that the service has given for the markets. They are kept so that the same archive gives
 * the same pack whatever the service says later. Each record is an immutable object that holds everything
 * known; the newest counts.
 */
const FORMAT = "fillbook-contracts/1";
/** So old, what the service said is asked again. */
const OLD_MS = 7 * DAY_MS;
const NAME = /^([1-9]\d*)-[0-9a-f]{64}\.json$/;

/** By market. Null: the service was asked and gave no type. A market that is missing was never asked for. */
type ContractTypes = ReadonlyMap<string, string | null>;

export interface Contracts {
  /** The number of the newest record, from 1. 0: there is none. */
  readonly seq: number;
  readonly types: ContractTypes;
  /** When the service was asked, ms UTC; 0: not known. */
  readonly askedAt: number;
}

export interface AskedContracts {
  readonly account: string;
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The run has asked the service for something else: it is asked for types that are old, too. */
  readonly isMet: boolean;
  readonly ask: () => Promise<readonly { readonly market: string; readonly contractType?: string }[]>;
}

/** Where the records are. */
type Place = Pick<AskedContracts, "account" | "store">;

/**
 * True if PnL is price difference × quantity. A market of unknown type is treated as linear, and its rows say
 * that this is assumed.
 */
export function isLinear(contractType: string | null | undefined): boolean {
  return contractType === "Vanilla" || contractType === null || contractType === undefined;
}

/**
 * The newest record. Throws `untrusted` if its bytes do not match the hash in its name, or are not a record.
 */
export async function readContracts(place: Place): Promise<Contracts> {
  // Two concurrent runs may have written the same number. The later name counts, on every machine.
  const newest = (await recordsOf(place)).toSorted((a, b) => a.seq - b.seq).at(-1);
  return newest === undefined ? { seq: 0, types: new Map(), askedAt: 0 } : await readRecord(place, newest);
}

/**
 * The contract types of the needed markets. If a market was never asked for, or the last answer is a week old, asks the
 * service once and keeps the answer. If the service cannot be asked, uses what is known. Notes every type that has
 * changed. Rejects when the run was asked to stop.
 */
export async function learnContracts(
  ports: AskedContracts,
  needed: Iterable<string>,
): Promise<{ readonly types: ContractTypes; readonly notes: readonly string[] }> {
  const known = await readContracts(ports);
  const unknown = [...new Set(needed)].filter((market) => !known.types.has(market)).sort();
  const now = ports.clock.now();
  if (unknown.length === 0 && !(ports.isMet && Math.abs(now - known.askedAt) > OLD_MS)) {
    return { types: known.types, notes: [] };
  }
  const said = await ports.ask().catch(asFillbookError);
  if (said instanceof FillbookError) {
    stopIfAborted(ports.signal); // whatever else was in the way at that moment
    // A missing address is no problem here: the pack says for each market that its type is assumed.
    const note = `the contract type of ${listed(unknown, LISTED)} is not known: ${said.message}`;
    return { types: known.types, notes: said.kind === "usage" || unknown.length === 0 ? [] : [note] };
  }
  const types = new Map([...known.types, ...unknown.map((market) => [market, null] as const)]);
  const notes: string[] = [];
  for (const { market, contractType = null } of said.toSorted((a, b) => (a.market < b.market ? -1 : 1))) {
    const before = known.types.get(market);
    // A type that the service no longer gives is still known.
    if (contractType !== null || before === undefined) {
      types.set(market, contractType);
    }
    if (contractType !== null && before !== undefined && contractType !== before) {
      notes.push(`the contract type of ${market} changed from ${quoted(before)} to ${quoted(contractType)}`);
    }
  }
  const markets = Object.fromEntries(types);
  const record = { format: FORMAT, account: ports.account, seq: known.seq + 1, askedAt: now, markets };
  const body = Buffer.from(`${canonicalJson(record)}\n`);
  await createContent(ports, `${prefixOf(ports)}${record.seq}-${sha256Of(body)}.json`, body);
  return { types, notes };
}

/** Reads and checks every record. Changes nothing. */
export async function verifyContracts(
  place: Place,
): Promise<{ readonly checked: number; readonly findings: readonly string[] }> {
  const records = await recordsOf(place);
  const findings: string[] = [];
  for (const named of records) {
    await readRecord(place, named).catch((error: unknown) => findings.push(asFillbookError(error).message));
  }
  const numbers = new Set(records.map(({ seq }) => seq));
  if (Math.max(0, ...numbers) !== numbers.size) {
    findings.push(`${place.store.location}/${prefixOf(place)}: the records are not numbered consecutively from 1`);
  }
  return { checked: records.length, findings };
}

interface Named {
  readonly key: string;
  readonly seq: number;
}

function prefixOf({ account }: Place): string {
  return `${account}/contracts/`;
}

/** The records by their names, without other objects. */
async function recordsOf(place: Place): Promise<Named[]> {
  const prefix = prefixOf(place);
  const records: Named[] = [];
  for await (const { key } of place.store.list(prefix)) {
    const seq = Number(NAME.exec(key.slice(prefix.length))?.[1]);
    records.push(...(seq > 0 ? [{ key, seq }] : []));
  }
  return records;
}

async function readRecord({ store, account }: Place, { key, seq }: Named): Promise<Contracts> {
  const body = await readContent(store, key, sha256InKey(key));
  const { format, markets, ...record } = fieldsIn(new TextDecoder().decode(body));
  const isOurs = format === FORMAT && record["account"] === account && record["seq"] === seq && isRecord(markets);
  const types = Object.entries(isRecord(markets) ? markets : {}) as [string, string | null][];
  if (isOurs && types.every(([, type]) => type === null || typeof type === "string")) {
    return { seq, types: new Map(types), askedAt: Number(record["askedAt"] ?? 0) };
  }
  const message = `${store.location}/${key} is not a contracts record that this version can read`;
  throw new FillbookError("untrusted", message, {
    hint: "nothing was changed; use the version of fillbook that wrote it, or move the object elsewhere",
  });
}

const LISTED = 5;

function quoted(type: string | null): string {
  return type === null ? "not given" : JSON.stringify(type);
}
