import type { Command } from "./command.ts";
import { completedOrders } from "./completed-orders.ts";
import { exportCommand } from "./export.ts";
import { marketData } from "./market-data.ts";
import { markets } from "./markets.ts";
import { open } from "./open.ts";
import { openOrder } from "./open-order.ts";
import { packs } from "./packs.ts";
import { periods } from "./periods.ts";
import { rates } from "./rates.ts";
import { serve } from "./serve.ts";
import { setLeverage } from "./set-leverage.ts";
import { specs } from "./specs.ts";
import { status } from "./status.ts";
import { sync } from "./sync.ts";
import { verify } from "./verify.ts";

/** Every command under its name, in the order of the help. */
export const COMMANDS = {
  sync,
  export: exportCommand,
  status,
  verify,
  packs,
  open,
  periods,
  rates,
  markets,
  specs,
  "market-data": marketData,
  "completed-orders": completedOrders,
  "open-order": openOrder,
  "set-leverage": setLeverage,
  serve,
} satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;
