import { BITTYTAX } from "./tools/bittytax.ts";
import { BLOCKPIT } from "./tools/blockpit.ts";
import { COINTRACKER } from "./tools/cointracker.ts";
import { COINTRACKING } from "./tools/cointracking.ts";
import { KOINLY } from "./tools/koinly.ts";
import { ROTKI } from "./tools/rotki.ts";
import { SUMM } from "./tools/summ.ts";
import type { Tool } from "./tools/tool.ts";

/** Each has a file in imports/. */
export const TOOLS: readonly Tool[] = [KOINLY, COINTRACKING, SUMM, COINTRACKER, BITTYTAX, ROTKI, BLOCKPIT];
