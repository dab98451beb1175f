import type { RunContext } from "../../job/context.ts";
import { deltaCheckpointKey, deltaCommitKey, deltaHintKey, deltaRoot } from "../keys.ts";
import { type FoundLog, findLog, readLog } from "./log.ts";

type Ports = Pick<RunContext, "account" | "store">;

/**
 * What readers of the table may still want: the data files that the log names or named after `oldest`, and of
 * the log itself all from a checkpoint on that is as old. ms UTC
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

/** No later than the checkpoint that `_last_checkpoint` names: some readers begin there. */
async function firstKept({ store, account }: Ports, { checkpoints }: FoundLog, oldest: number): Promise<number> {
  const hint = await store.get(deltaHintKey(account));
  const named = Number(/"version":(\d{1,15})\b/.exec(new TextDecoder().decode(hint?.body))?.[1] ?? 0);
  const old = [...checkpoints].filter(([version, modifiedMs]) => version <= named && modifiedMs <= oldest);
  return Math.max(0, ...old.map(([version]) => version));
}
