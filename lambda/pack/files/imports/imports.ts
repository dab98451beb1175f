import type { FileMaker, PackContext } from "../../build/maker.ts";
import { BITTYTAX } from "./bittytax.ts";
import { BLOCKPIT } from "./blockpit.ts";
import { BlockpitWorkbook } from "./blockpit-workbook.ts";
import { type Cash, cashOf } from "./cash.ts";
import { COINTRACKER } from "./cointracker.ts";
import { COINTRACKING } from "./cointracking.ts";
import { dailyCashOf } from "./daily.ts";
import { Dates } from "./dates.ts";
import { DAILY, ImportMaker, type ImportTotal } from "./import-maker.ts";
import { KOINLY } from "./koinly.ts";
import { ImportsReadme, type Section } from "./readme.ts";
import { ROTKI } from "./rotki.ts";
import { SUMM } from "./summ.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [KOINLY, COINTRACKING, SUMM, COINTRACKER, BITTYTAX, BLOCKPIT, ROTKI];

/**
 * The files of imports/. `notes`: about other files there. README.txt comes last, because it gives the
 * figures of the others, as control-totals.csv does.
 */
export function importMakers(context: PackContext, notes: readonly Section[] = []): readonly FileMaker[] {
  const { account, period } = context;
  const cash = cashOf(context);
  const dates = datesOf(cash);
  const days = datesOf(dailyCashOf(cash, period));
  const files = TOOLS.map((tool) => new ImportMaker(tool, account, "imports", dates[tool.unitMs]));
  const daily = TOOLS.map((tool) => new ImportMaker(tool, account, DAILY, days[tool.unitMs]));
  const workbook = new BlockpitWorkbook(context, days[BLOCKPIT.unitMs]);
  return [...files, ...daily, workbook, new ImportsReadme(context, { files, daily, notes })];
}

/** Shared by all tools with the same unit of time. */
function datesOf(cash: Cash): Readonly<Record<Tool["unitMs"], Dates>> {
  return { 1: new Dates(cash, 1), 1000: new Dates(cash, 1000) };
}

/** The sums of each import file among these makers, by file and currency. Complete once they have ended. */
export function importTotals(makers: readonly FileMaker[]): readonly ImportTotal[] {
  return makers.flatMap((maker) => (maker instanceof ImportMaker ? maker.totals : []));
}
