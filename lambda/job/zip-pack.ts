import { createHash } from "node:crypto";
import { modifiedMsOf } from "../archive/age.ts";
import { zipKey } from "../archive/keys.ts";
import { FillbookError, StoppedError } from "../core/errors.ts";
import { type StoreSink, StoreUnknownError } from "../storage/store.ts";
import { findPack } from "../web/data/catalogue.ts";
import { packZip } from "../web/pack-bytes.ts";
import type { PackDetails } from "../web/packs.ts";
import type { RunContext } from "./context.ts";

type Ports = Pick<RunContext, "account" | "store" | "packStore" | "signal">;

export interface ZippedPack {
  readonly account: string;
  readonly period: string;
  readonly version: string;
  /** The size of the ZIP. */
  readonly bytes: number;
  readonly sha256: string;
  readonly complete: true;
}

/**
 * Writes all files of a pack as one ZIP into the archive's store, with the same bytes as the page on the
 * user's machine makes. An existing ZIP counts as success. Nothing is visible before it is finished. Throws
 * `usage` if there is no such pack, `untrusted` if a file does not match SHA256SUMS, and `incomplete` if it
 * was stopped or the outcome is unknown.
 */
export async function zipPack(
  ports: Ports,
  asked: { readonly period: string; readonly version: string },
): Promise<ZippedPack> {
  const { account } = ports;
  const pack = await findPack(ports, asked.period, asked.version);
  if (pack === null) {
    throw new FillbookError("usage", `pack ${asked.period} has no version ${asked.version}`, {
      hint: "see the account's page for the versions that exist",
    });
  }
  const { period, version } = pack;
  const written = await write(ports, pack, packZip(ports, pack));
  return { account, period, version, ...written, complete: true };
}

async function write(
  { account, store, signal }: Ports,
  pack: PackDetails,
  zip: AsyncIterable<Uint8Array>,
): Promise<Pick<ZippedPack, "bytes" | "sha256">> {
  const key = zipKey(account, pack);
  const sink = await store.createStream(key);
  const sha256 = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of zip) {
      if (signal.aborted) {
        throw new StoppedError();
      }
      sha256.update(chunk);
      bytes += chunk.length;
      await sink.write(chunk);
    }
  } catch (error) {
    await sink.abort();
    throw error;
  }
  await land(sink, async () => (await modifiedMsOf(store, key)) !== null);
  return { bytes, sha256: sha256.digest("hex") };
}

/** If the answer was lost, asks the store whether the object is there. */
async function land(sink: StoreSink, isThere: () => Promise<boolean>): Promise<void> {
  try {
    await sink.finish();
  } catch (error) {
    if (error instanceof StoreUnknownError && (await isThere())) {
      return;
    }
    throw error instanceof StoreUnknownError
      ? new FillbookError("incomplete", error.message, { hint: "run again", cause: error })
      : error;
  }
}
