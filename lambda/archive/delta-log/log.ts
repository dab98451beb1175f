import { FillbookError } from "../../core/errors.ts";
import { isRecord } from "../../core/record.ts";
import type { Store } from "../../storage/store.ts";
import { deltaCheckpointKey, deltaCommitKey, deltaLogFileOf, deltaLogPrefix } from "../keys.ts";
import {
  type Actions,
  type Add,
  APP_ID,
  type MetaData,
  PROTOCOL,
  type Protocol,
  type Remove,
  type Txn,
} from "./actions.ts";
import { decodeCheckpoint } from "./checkpoint.ts";

interface Ports {
  readonly account: string;
  readonly store: Store;
}

export interface ReadableLog {
  /** The newest version. */
  readonly version: number;
  /** When each checkpoint was written, by version: ms UTC by the store's clock. */
  readonly checkpoints: ReadonlyMap<number, number>;
}

/** A log, with what its newest commit says. */
export interface FoundLog extends ReadableLog {
  readonly commits: ReadonlySet<number>;
  /** The number of the manifest that the log publishes. Null: another program wrote the newest commit. */
  readonly seq: number | null;
  readonly mark: string | null;
}

/** The whole state of a log at a version. */
export interface LogState {
  readonly protocol: Protocol | null;
  readonly metaData: MetaData | null;
  readonly txns: ReadonlyMap<string, Txn>;
  readonly adds: ReadonlyMap<string, Add>;
  readonly removes: ReadonlyMap<string, Remove>;
}

const NOTHING: LogState = { protocol: null, metaData: null, txns: new Map(), adds: new Map(), removes: new Map() };

/** Commits that are read at once. */
const AT_ONCE = 16;

/** -1: there is no checkpoint. */
export function newestCheckpoint({ checkpoints }: ReadableLog): number {
  return Math.max(-1, ...checkpoints.keys());
}

/** Null: there is no log. */
export async function findLog(ports: Ports): Promise<FoundLog | null> {
  const { store, account } = ports;
  const commits = new Set<number>();
  const checkpoints = new Map<number, number>();
  for await (const { key, modifiedMs } of store.list(deltaLogPrefix(account))) {
    const file = deltaLogFileOf(account, key);
    if (file?.kind === "commit") {
      commits.add(file.version);
    } else if (file?.kind === "checkpoint") {
      checkpoints.set(file.version, modifiedMs);
    }
  }
  const version = Math.max(-1, ...commits, ...checkpoints.keys());
  if (version < 0) {
    return null;
  }
  const newest = await readCommit(ports, version);
  const seq = newest.find(({ txn }) => txn?.appId === APP_ID)?.txn?.version ?? null;
  const mark = newest.find(({ commitInfo }) => commitInfo !== undefined)?.commitInfo?.fillbookMark ?? null;
  return { version, commits, checkpoints, seq, mark };
}

/**
 * The log's state: its newest checkpoint, and the commits since. Rejects with `untrusted` if one of them is
 * missing or cannot be read.
 */
export async function readLog(ports: Ports, log: ReadableLog | null): Promise<LogState> {
  if (log === null) {
    return NOTHING;
  }
  const checkpoint = newestCheckpoint(log);
  let state = checkpoint < 0 ? NOTHING : after(NOTHING, await readCheckpoint(ports, checkpoint));
  for (let from = checkpoint + 1; from <= log.version; from += AT_ONCE) {
    const versions = Array.from({ length: Math.min(AT_ONCE, log.version + 1 - from) }, (_, at) => from + at);
    for (const actions of await Promise.all(versions.map((version) => readCommit(ports, version)))) {
      state = after(state, actions);
    }
  }
  const { protocol, metaData, adds } = state;
  if (protocol === null || metaData === null) {
    throw damaged(ports, "its protocol or metadata is missing");
  }
  const isPlain = [...adds.values()].every((add) => !("deletionVector" in add));
  if (
    protocol.minReaderVersion > PROTOCOL.minReaderVersion ||
    protocol.minWriterVersion > PROTOCOL.minWriterVersion ||
    !isPlain
  ) {
    throw damaged(ports, "another program has enabled table features that fillbook does not support");
  }
  return state;
}

function after(state: LogState, actions: readonly Actions[]): LogState {
  let { protocol, metaData } = state;
  const [txns, adds, removes] = [new Map(state.txns), new Map(state.adds), new Map(state.removes)];
  for (const action of actions) {
    protocol = action.protocol ?? protocol;
    metaData = action.metaData ?? metaData;
    if (action.txn !== undefined) {
      txns.set(action.txn.appId, action.txn);
    }
    if (action.remove !== undefined) {
      adds.delete(action.remove.path);
      removes.set(action.remove.path, action.remove);
    }
    if (action.add !== undefined) {
      removes.delete(action.add.path);
      adds.set(action.add.path, action.add);
    }
  }
  return { protocol, metaData, txns, adds, removes };
}

async function readCommit(ports: Ports, version: number): Promise<readonly Actions[]> {
  const key = deltaCommitKey(ports.account, version);
  const stored = await ports.store.get(key);
  if (stored === null) {
    throw damaged(ports, `version ${version} is missing`);
  }
  try {
    const lines = new TextDecoder().decode(stored.body).split("\n");
    return checked(lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line)));
  } catch (error) {
    throw damaged(ports, `version ${version} cannot be read`, error);
  }
}

async function readCheckpoint(ports: Ports, version: number): Promise<readonly Actions[]> {
  const stored = await ports.store.get(deltaCheckpointKey(ports.account, version));
  if (stored === null) {
    throw damaged(ports, `the checkpoint of version ${version} is missing`);
  }
  try {
    return checked(await decodeCheckpoint(stored.body));
  } catch (error) {
    throw damaged(ports, `the checkpoint of version ${version} cannot be read`, error);
  }
}

/** The types of the fields that fillbook uses. */
const FIELDS = {
  protocol: { minReaderVersion: "number", minWriterVersion: "number" },
  metaData: { id: "string", schemaString: "string", partitionColumns: "object" },
  txn: { appId: "string", version: "number" },
  add: { path: "string", size: "number", partitionValues: "object" },
  remove: { path: "string" },
} as const satisfies Partial<Record<keyof Actions, Readonly<Record<string, string>>>>;

/** Throws if an action lacks a field that fillbook uses. */
function checked(actions: readonly unknown[]): readonly Actions[] {
  for (const action of actions) {
    for (const [name, fields] of Object.entries(FIELDS)) {
      const value = isRecord(action) ? (action[name] ?? undefined) : null;
      const isWhole =
        value === undefined ||
        (isRecord(value) && Object.entries(fields).every(([field, type]) => typeof value[field] === type));
      if (!isWhole) {
        throw new TypeError(`invalid ${name}: ${JSON.stringify(action).slice(0, 200)}`);
      }
    }
  }
  return actions as readonly Actions[];
}

function damaged({ store, account }: Ports, what: string, cause?: unknown): FillbookError {
  const where = `${store.location}/${deltaLogPrefix(account)}`;
  return new FillbookError("untrusted", `the table's log at ${where} cannot be continued: ${what}`, {
    hint: "delete this folder; the next sync recreates it from the archive",
    ...(cause === undefined ? {} : { cause }),
  });
}
