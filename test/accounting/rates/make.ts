import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RateFile } from "../../../lambda/accounting/rates/rate-file.ts";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");

export function bytesOf(name: string): Uint8Array {
  return readFileSync(join(FIXTURES, name));
}

export function fixture(name: string): RateFile {
  return recogniseRates(`rates/${name}`, bytesOf(name));
}

/** The user's own rate file, from lines without the header: `2025-03-01,USDT,USD,0.9996,close`. */
export function own(name: string, ...lines: readonly string[]): RateFile {
  return recogniseRates(name, new TextEncoder().encode(`date,base,quote,rate,source\n${lines.join("\n")}\n`));
}
