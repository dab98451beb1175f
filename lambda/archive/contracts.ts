import { asFillbookError, FillbookError, StoppedError } from "../core/errors.ts";
import { canonicalJson } from "../formats/json.ts";
import type { ServiceReader } from "../service/service.ts";
import type { Store } from "../storage/store.ts";
import { contractsKey, contractsPrefix, contractsSeqOf, sha256InKey, sha256Of } from "./keys.ts";
import { createContent, readContent } from "./objects.ts";
import type { SessionPorts } from "./ports.ts";

/**
 * The contract types that the service has given for the markets. They are kept so that the same archive gives
 * the same pack whatever the service says later. Each record is an immutable object that holds everything
 * known; the newest counts.
 */
export const CONTRACTS_FORMAT = "fillbook-contracts/1";

/** By market. Null: the service was asked and gave no type. A market that is missing was never asked for. */
export type ContractTypes = ReadonlyMap<string, string | null>;

export interface Contracts {
  /** The number of the newest record, from 1. 0: there is none. */
  readonly seq: number;
  readonly types: ContractTypes;
}

export interface LearnedContracts {
  readonly types: ContractTypes;
  /** One sentence each for the user: a type that changed, types that could not be asked for. */
  readonly notes: readonly string[];
}

type ContractPorts = Pick<SessionPorts, "account" | "store" | "clock" | "signal"> & {
  readonly reader: Pick<ServiceReader, "productSpecifications">;
};

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
export async function readContracts(store: Store, account: string): Promise<Contracts> {
  let newest = { seq: 0, key: "" };
  for await (const { key } of store.list(contractsPrefix(account))) {
    const seq = contractsSeqOf(account, key);
    // Two concurrent runs may have written the same number. The later name counts, on every machine.
    if (seq !== null && seq >= newest.seq) {
      newest = { seq, key };
    }
  }
  return newest.key === "" ? { seq: 0, types: new Map() } : await readRecord(store, account, newest.key);
}

/**
 * The contract types of the needed markets. If a market was never asked for, asks the service once and keeps
 * the answer. If the service cannot be asked, uses what is known. Notes every type that has changed. Rejects
 * when the run was asked to stop.
 */
export async function learnContracts(job: ContractPorts, needed: Iterable<string>): Promise<LearnedContracts> {
  const { account, store } = job;
  const known = await readContracts(store, account);
  const unknown = [...new Set(needed)].filter((market) => !known.types.has(market)).sort();
  if (unknown.length === 0) {
    return { types: known.types, notes: [] };
  }
  const said = await ask(job);
  if (said instanceof FillbookError) {
    // A missing address is no problem here: the pack says for each market that its type is assumed.
    const isUnset = said.kind === "usage";
    const note = `the contract type of ${listed(unknown)} is not known: ${said.message}`;
    return { types: known.types, notes: isUnset ? [] : [note] };
  }
  const types = new Map([...known.types, ...unknown.map((market) => [market, null] as const)]);
  const notes: string[] = [];
  for (const [market, type] of said) {
    const before = known.types.get(market);
    // A type that the service no longer gives is still known.
    if (type !== null || before === undefined) {
      types.set(market, type);
    }
    if (type !== null && before !== undefined && type !== before) {
      notes.push(`the contract type of ${market} changed from ${quoted(before)} to ${quoted(type)}`);
    }
  }
  await writeRecord(job, known.seq + 1, types);
  return { types, notes };
}

/** Reads and checks every record. Changes nothing. */
export async function verifyContracts(
  store: Store,
  account: string,
): Promise<{ readonly checked: number; readonly findings: readonly string[] }> {
  let checked = 0;
  const findings: string[] = [];
  const numbers = new Set<number>();
  for await (const { key } of store.list(contractsPrefix(account))) {
    const seq = contractsSeqOf(account, key);
    if (seq !== null) {
      checked += 1;
      numbers.add(seq);
      await readRecord(store, account, key).catch((error: unknown) => findings.push(asFillbookError(error).message));
    }
  }
  if (Math.max(0, ...numbers) !== numbers.size) {
    findings.push(`${store.location}/${contractsPrefix(account)}: the records are not numbered consecutively from 1`);
  }
  return { checked, findings };
}

/** Sorted by market. Returns an error if the service cannot be asked. */
async function ask({ reader, signal }: ContractPorts): Promise<ContractTypes | FillbookError> {
  try {
    const specifications = await reader.productSpecifications(signal);
    const types = specifications.map(({ market, contractType }) => [market, contractType ?? null] as const);
    return new Map(types.sort(([a], [b]) => (a < b ? -1 : 1)));
  } catch (error) {
    if (signal.aborted) {
      throw new StoppedError(); // whatever else was in the way at that moment
    }
    return asFillbookError(error);
  }
}

async function writeRecord(job: ContractPorts, seq: number, types: ContractTypes): Promise<void> {
  const { account } = job;
  const markets = Object.fromEntries(types);
  const record: ContractsRecord = { format: CONTRACTS_FORMAT, account, seq, markets };
  const body = Buffer.from(`${canonicalJson(record)}\n`);
  await createContent(job, contractsKey(account, seq, sha256Of(body)), body);
}

async function readRecord(store: Store, account: string, key: string): Promise<Contracts> {
  const body = await readContent(store, key, sha256InKey(key));
  const seq = contractsSeqOf(account, key);
  const record = parseRecord(new TextDecoder().decode(body));
  if (seq === null || record === null || record.account !== account || record.seq !== seq) {
    throw new FillbookError(
      "untrusted",
      `${store.location}/${key} is not a contracts record that this version can read`,
      {
        hint: "nothing was changed; use the version of fillbook that wrote it, or move the object elsewhere",
      },
    );
  }
  return { seq, types: new Map(Object.entries(record.markets)) };
}

interface ContractsRecord {
  readonly format: typeof CONTRACTS_FORMAT;
  readonly account: string;
  readonly seq: number;
  readonly markets: Readonly<Record<string, string | null>>;
}

function parseRecord(text: string): ContractsRecord | null {
  try {
    const record = JSON.parse(text) as ContractsRecord;
    const isWhole = Object.values(record.markets).every((type) => type === null || typeof type === "string");
    return isWhole && record.format === CONTRACTS_FORMAT ? record : null;
  } catch {
    return null;
  }
}

const LISTED = 5;

function listed(markets: readonly string[]): string {
  const more = markets.length - LISTED;
  return markets.slice(0, LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function quoted(type: string | null): string {
  return type === null ? "not given" : JSON.stringify(type);
}
