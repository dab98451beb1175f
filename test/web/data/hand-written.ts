import { hash } from "node:crypto";
import type { Store } from "../../../lambda/storage/store.ts";
import type { PackCatalogue, PackEntry } from "../../../lambda/web/ports.ts";

/** A completeness.json that can be read, with these fields in place of its own. */
export function completeness(period: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    format: "fillbook-completeness/3",
    account: "main",
    period,
    from: "2025-03-01T00:00:00.000Z",
    to: "2025-04-01T00:00:00.000Z",
    zone: "UTC",
    method: "fifo",
    basis: "fill",
    totals: { fills: 3, exceptions: 0, restatements: { late: 0, changed: 0, enriched: 0 } },
    gaps: [],
    ...fields,
  });
}

/** Writes a pack as fillbook lays it out, from these texts. Gives its folder. */
export async function writeByHand(
  store: Store,
  { period, version, files }: { period: string; version: string; files: Readonly<Record<string, string>> },
): Promise<string> {
  const mark = version.endsWith("-INCOMPLETE") ? "INCOMPLETE-" : "";
  const folder = `main/packs/${period}/${version}`;
  const sums = Object.entries(files).map(([path, text]) => `${hash("sha256", text, "hex")}  ${path}\n`);
  for (const [path, text] of [...Object.entries(files), [`${mark}SHA256SUMS`, sums.join("")] as const]) {
    await store.createNew(`${folder}/${path}`, Buffer.from(text));
  }
  return folder;
}

export function latestText(version: string): Buffer {
  return Buffer.from(`${JSON.stringify({ format: "fillbook-pack/4", version, sums: {} }, null, 2)}\n`);
}

/** All versions of all periods, or of one. */
export async function listAll(packs: PackCatalogue, account = "main", period?: string): Promise<readonly PackEntry[]> {
  const periods = await packs.periods(account);
  return await packs.list(account, period === undefined ? periods : periods.filter(({ name }) => name === period));
}
