import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RateConverter } from "../../../lambda/accounting/rates/converter.ts";
import type { RateFile } from "../../../lambda/accounting/rates/rate-file.ts";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";
import { ZERO } from "../../../lambda/core/amount.ts";

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

/** A converter that lacks no rate, unless `convertIfKnown` says so. */
export function converterOf(one: Pick<RateConverter, "convert"> & Partial<RateConverter>): RateConverter {
  return { to: "EUR", missing: [], convertIfKnown: one.convert, convertToMinor: () => ZERO, ...one };
}
