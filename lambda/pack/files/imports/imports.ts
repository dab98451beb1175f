import type { FileMaker, PackContext } from "../../build/maker.ts";
import { BITTYTAX } from "./bittytax.ts";
import { BLOCKPIT } from "./blockpit.ts";
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

/** The files of imports/. `notes`: of other files that are there. Their README comes last: it gives the figures of the others, as control-totals.csv does. */
export function importMakers(context: PackContext, notes: readonly Section[] = []): readonly FileMaker[] {
  const cash = cashOf(context);
  const files = filesOf(context, "imports", cash);
  const daily = filesOf(context, DAILY, dailyCashOf(cash, context.period));
  return [...files, ...daily, new ImportsReadme(context, { files, daily, notes })];
}

function filesOf({ account }: PackContext, folder: string, cash: Cash): readonly ImportMaker[] {
  const dates = { 1: new Dates(cash, 1), 1000: new Dates(cash, 1000) };
  return TOOLS.map((tool) => new ImportMaker(tool, account, folder, dates[tool.unitMs]));
}

/** What the rows of each import file among these makers add up to, by file and currency; complete when they have ended. */
export function importTotals(makers: readonly FileMaker[]): readonly ImportTotal[] {
  return makers.flatMap((maker) => (maker instanceof ImportMaker ? maker.totals : []));
}
