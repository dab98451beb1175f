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
  /** Of the ZIP. */
  readonly bytes: number;
  readonly sha256: string;
  readonly complete: true;
}

/**
 * All files of a pack as one object of the archive's store, the same bytes that the page on the user's machine makes; that it is there already is success.
 * Nothing is seen of it before its end. Throws `usage` when there is no such pack, `untrusted` when a file is not what SHA256SUMS says, `incomplete` when
 * it was stopped or cannot be told.
 */
export async function zipPack(
  ports: Ports,
  asked: { readonly period: string; readonly version: string },
): Promise<ZippedPack> {
  const { account } = ports;
  const pack = await findPack(ports, asked.period, asked.version);
  if (pack === null) {
    throw new FillbookError("usage", `there is no version ${asked.version} of a pack ${asked.period}`, {
      hint: "look for it on the page of the account",
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

/** Of an answer that was lost, the store itself tells. */
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
