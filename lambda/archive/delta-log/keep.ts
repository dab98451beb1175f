import type { RunContext } from "../../job/context.ts";
import { deltaCheckpointKey, deltaCommitKey, deltaHintKey, deltaRoot } from "../keys.ts";
import { type FoundLog, findLog, readLog } from "./log.ts";

type Ports = Pick<RunContext, "account" | "store">;

/**
 * The keys that readers of the table may still need: the data files that the log names or has named after
 * `oldest` (ms UTC), and the log itself from a checkpoint of that age on.
 */
export async function keptForReaders(ports: Ports, oldest: number): Promise<readonly string[]> {
  const { account } = ports;
  const log = await findLog(ports);
  if (log === null) {
    return [];
  }
  const { adds, removes } = await readLog(ports, log);
  const recent = [...removes.values()].filter(({ deletionTimestamp }) => deletionTimestamp > oldest);
  const from = await firstKept(ports, log, oldest);
  const isKept = (version: number) => version >= from;
  return [
    ...[...adds.values(), ...recent].map(({ path }) => `${deltaRoot(account)}${path}`),
    ...[...log.commits].filter(isKept).map((version) => deltaCommitKey(account, version)),
    ...[...log.checkpoints.keys()].filter(isKept).map((version) => deltaCheckpointKey(account, version)),
  ];
}

/**
 * The first version to keep. It is at most the one that `_last_checkpoint` names, because some readers begin
 * there.
 */
async function firstKept({ store, account }: Ports, { checkpoints }: FoundLog, oldest: number): Promise<number> {
  const hint = await store.get(deltaHintKey(account));
  const named = Number(/"version":(\d{1,15})\b/.exec(new TextDecoder().decode(hint?.body))?.[1] ?? 0);
  const old = [...checkpoints].filter(([version, modifiedMs]) => version <= named && modifiedMs <= oldest);
  return Math.max(0, ...old.map(([version]) => version));
}
