import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PackFileWriter } from "../../../lambda/pack/build/pack-file-writer.ts";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import { ACCOUNT, type CaseInput, type Measured } from "./case.ts";
import type { Meter } from "./meter.ts";

/** Of a large file, what stands for all of it: its lines again and again, until there are as many bytes. */
const SAMPLE_BYTES = 4_000_000;
/** As many as a pack makes of some tens of fills. */
const LINES_AT_ONCE = 30;

/**
 * The least that the large files of a pack, which the case before has made, cost in JavaScript: their cells are texts already, and are joined to lines, encoded,
 * hashed and written as those of a pack are. Nothing is reckoned or formatted.
 */
export async function writePackLines({ dir }: CaseInput, meter: Meter): Promise<Measured> {
  const store = openFolderStore(join(dir, "store"));
  let bytes = 0;
  for (const path of largePackFiles(dir)) {
    const { rows, separator } = meter.aside(() => sampleOf(path));
    const file = await PackFileWriter.open(store, "lines", "again");
    const written = await writeAgain(file, rows, separator, statSync(path).size);
    bytes += written;
    meter.aside(() => rmSync(join(dir, "store", "lines"), { recursive: true }));
  }
  return { facts: { bytes } };
}

async function writeAgain(
  file: PackFileWriter,
  rows: readonly (readonly string[])[],
  separator: string,
  bytes: number,
): Promise<number> {
  for (let [from, written] = [0, 0]; written < bytes; from = (from + LINES_AT_ONCE) % rows.length) {
    let text = "";
    for (const cells of rows.slice(from, from + LINES_AT_ONCE)) {
      text += lineOf(cells, separator);
    }
    await file.write(text);
    written += text.length;
  }
  return (await file.finish()).bytes;
}

function lineOf(cells: readonly string[], separator: string): string {
  let line = "";
  let between = "";
  for (const cell of cells) {
    line += between + cell;
    between = separator;
  }
  return `${line}\n`;
}

/** The cells of the first lines. Those of a journal are its words. */
function sampleOf(path: string): { readonly rows: readonly (readonly string[])[]; readonly separator: string } {
  const separator = path.endsWith(".csv") ? "," : " ";
  const piece = Buffer.alloc(SAMPLE_BYTES);
  const file = openSync(path, "r");
  const text = piece.toString("utf8", 0, readSync(file, piece));
  closeSync(file);
  const lines = text.slice(0, text.lastIndexOf("\n")).split("\n");
  return { rows: lines.map((line) => line.split(separator)), separator };
}

/** Those that grow with the fills. */
export function largePackFiles(dir: string): string[] {
  const packs = join(dir, "store", ACCOUNT, "packs");
  const files = readdirSync(packs, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.csv$|journal\.\w+$/.test(name))
    .map((name) => join(packs, name));
  const sizes = new Map(files.map((path) => [path, statSync(path).size]));
  const largest = Math.max(...sizes.values());
  return files.filter((path) => (sizes.get(path) ?? 0) > largest / 10);
}
