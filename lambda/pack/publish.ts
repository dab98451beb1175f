import { hash } from "node:crypto";
import type { Manifest } from "../archive/manifest.ts";
import { formatSetHash, type SetHash } from "../archive/set-hash.ts";
import { FillbookError } from "../errors.ts";
import { canonicalJson } from "../formats/json.ts";
import { GROUP_ROWS } from "../formats/parquet.ts";
import type { PackFile } from "../job.ts";
import type { Period } from "../model/period.ts";
import { isoTime } from "../model/time.ts";
import { type Store, StoreUnknownError } from "../store/store.ts";
import { type Claim, claimOf, completenessText, type Totals } from "./completeness.ts";
import { datapackageText } from "./datapackage.ts";
import { checksums, PackFileWriter, writeText } from "./files.ts";
import { hashRestatements, type ReadRestatements, restatementsIn, writeRestatements } from "./restatements.ts";
import { fillsOf, type ReadPart, type Selection, selectParts } from "./selection.ts";
import { FillTables } from "./tables.ts";

/** Counts up with every change of what a pack's bytes are, so that a newer fillbook writes a new version beside the old one. */
export const PACK_FORMAT = "fillbook-pack/2";

const INCOMPLETE_MARK = "INCOMPLETE-";
const LATEST_TRIES = 5;

export interface PackRequest {
  readonly store: Store;
  readonly account: string;
  readonly manifest: Manifest;
  readonly period: Period;
  readonly method: string;
  /** The period is not, or may not be, complete, and its pack is wanted all the same: its names say INCOMPLETE, and it is never the latest. */
  readonly allowIncomplete: boolean;
  readonly readPart: ReadPart;
  readonly readRestatements: ReadRestatements;
  /** Told the number of fills written, after every batch. */
  readonly report?: (fills: number) => void;
}

export interface Pack {
  /** Key prefix in the store, without a slash at its end. */
  readonly dir: string;
  readonly version: string;
  /** SHA256SUMS is the last. */
  readonly files: readonly PackFile[];
  readonly complete: boolean;
}

/**
 * Writes the pack of a period from the archive alone. Its version names what decides its bytes, so a repeated run writes the same objects again; memory
 * does not grow with the period. Throws `incomplete`, and writes nothing, when the period is not covered and `allowIncomplete` is not set; `untrusted`
 * when the archive contradicts itself, or an object of this version is there with other bytes.
 */
export async function writePack(request: PackRequest): Promise<Pack> {
  const { store, account, manifest, period, method, allowIncomplete, readPart } = request;
  const claim = claimOf(manifest, { account, period, method, complete: !allowIncomplete });
  const [gap] = claim.gaps;
  if (gap !== undefined && !allowIncomplete) {
    throw new FillbookError(
      "incomplete",
      `${period.name} is not covered: nothing is known of ${isoTime(gap.from)} to ${isoTime(gap.to)}`,
      { hint: "sync that time first; --allow-incomplete makes a pack that says INCOMPLETE" },
    );
  }
  const selection = await selectParts(manifest.parts, period, readPart);
  const version = versionOf(claim, selection.setHash, await hashRestatements(restatementsOf(request)));
  const mark = allowIncomplete ? INCOMPLETE_MARK : "";
  const dir = `${account}/packs/${period.name}/${version}${allowIncomplete ? "-INCOMPLETE" : ""}`;
  const { files: tables, totals } = await writeTables(request, selection, dir, mark);
  const completeness = await writeText(store, dir, `${mark}completeness.json`, completenessText(claim, totals));
  const described = [...tables, completeness];
  const datapackage = await writeText(store, dir, `${mark}datapackage.json`, datapackageText(claim, described, mark));
  const listed = [...described, datapackage];
  const sums = await writeText(store, dir, `${mark}SHA256SUMS`, checksums(listed));
  const pack = { dir, version, files: [...listed, sums], complete: claim.complete };
  if (pack.complete) {
    await nameLatest(store, `${account}/packs/${period.name}/latest.json`, version, sums);
  }
  return pack;
}

/** 16 hexadecimal digits over all that decides the bytes. */
function versionOf(claim: Claim, fills: SetHash, restatements: string): string {
  const decisive = { ...claim, format: PACK_FORMAT, fills: formatSetHash(fills), restatements };
  return hash("sha256", canonicalJson(decisive), "hex").slice(0, 16);
}

function restatementsOf({ period, manifest, readRestatements }: PackRequest) {
  return restatementsIn(period, manifest.restatements, readRestatements);
}

interface Tables {
  readonly files: readonly PackFile[];
  readonly totals: Totals;
}

async function writeTables(request: PackRequest, selection: Selection, dir: string, mark: string): Promise<Tables> {
  const { store, account, period, readPart, report } = request;
  const opened: PackFileWriter[] = [];
  const open = async (path: string): Promise<PackFileWriter> => {
    const file = await PackFileWriter.open(store, dir, mark + path);
    opened.push(file);
    return file;
  };
  try {
    const csv = await open("fills.csv");
    const parquet = await open("fills.parquet");
    const exceptions = await open("exceptions.csv");
    const tables = new FillTables(account, period, { csv, parquet, exceptions });
    await tables.begin();
    for await (const fills of fillsOf(selection.parts, period, readPart, GROUP_ROWS)) {
      await tables.write(fills);
      report?.(tables.totals.fills);
    }
    await tables.end();
    const { totals, tally } = tables;
    const restated = await open("restatements.csv");
    const restatements = await writeRestatements(restated, restatementsOf(request));
    const files = [
      await csv.finish(totals.fills),
      await parquet.finish(totals.fills),
      await exceptions.finish(totals.exceptions),
      await restated.finish(restatements.rows),
    ];
    return { files, totals: { tables: totals, tally, restatements } };
  } catch (error) {
    await Promise.allSettled(opened.map((file) => file.abort()));
    throw error;
  }
}

/** latest.json names the newest complete version; written when all of it is there. */
async function nameLatest(store: Store, key: string, version: string, sums: PackFile): Promise<void> {
  const text = `${JSON.stringify({ format: PACK_FORMAT, version, sums: { path: `${version}/${sums.path}`, sha256: sums.sha256 } }, null, 2)}\n`;
  const body = Buffer.from(text);
  for (let attempt = 1; attempt <= LATEST_TRIES; attempt += 1) {
    const current = await store.get(key);
    if (current !== null && body.equals(current.body)) {
      return;
    }
    if (await replaced(store, key, body, current?.tag ?? null)) {
      return;
    }
  }
  throw new FillbookError("incomplete", `cannot write ${store.location}/${key}: other runs keep changing it`, {
    hint: "the pack itself is written; run again to make it the latest",
  });
}

/** False when another run was first, or when it cannot be known: the next look tells. */
async function replaced(store: Store, key: string, body: Uint8Array, tag: string | null): Promise<boolean> {
  try {
    return (await store.replaceIf(key, body, tag)) !== null;
  } catch (error) {
    if (error instanceof StoreUnknownError) {
      return false;
    }
    throw error;
  }
}
