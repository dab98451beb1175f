import type { PackContext } from "../make/maker.ts";
import { BITTYTAX } from "./bittytax.ts";
import { BlockpitMaker } from "./blockpit.ts";
import { COINTRACKER } from "./cointracker.ts";
import { COINTRACKING } from "./cointracking.ts";
import { ImportMaker } from "./import-maker.ts";
import { KOINLY } from "./koinly.ts";
import type { DailyCash } from "./movements.ts";
import { ROTKI } from "./rotki.ts";
import { SUMM } from "./summ.ts";
import type { Tool } from "./tool.ts";

const TOOLS: readonly Tool[] = [KOINLY, COINTRACKING, SUMM, COINTRACKER, BITTYTAX, ROTKI];

/** The files of imports/. */
export function importMakers(context: PackContext, cash: DailyCash): readonly ImportMaker[] {
  return [...TOOLS.map((tool) => new ImportMaker(tool, cash)), new BlockpitMaker(context, cash)];
}
