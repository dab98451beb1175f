import type { Command } from "./command.ts";
import { completedOrders } from "./completed-orders.ts";
import { doctor } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { init } from "./init.ts";
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
  init,
  doctor,
  sync,
  export: exportCommand,
  packs,
  open,
  serve,
  status,
  verify,
  periods,
  rates,
  markets,
  specs,
  "market-data": marketData,
  "completed-orders": completedOrders,
  "open-order": openOrder,
  "set-leverage": setLeverage,
} satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;

const TABLES: readonly CommandName[] = ["periods", "rates"];
/** Commands that call one endpoint of the service each. */
const ENDPOINTS: readonly CommandName[] = [
  "markets",
  "specs",
  "market-data",
  "completed-orders",
  "open-order",
  "set-leverage",
];

const NAMES = Object.keys(COMMANDS) as readonly CommandName[]; // the table's keys are the names

/** The groups of the help. Commands of no other group are for daily use. */
export const COMMAND_GROUPS: readonly { readonly heading: string; readonly names: readonly CommandName[] }[] = [
  { heading: "Commands", names: NAMES.filter((name) => ![...TABLES, ...ENDPOINTS].includes(name)) },
  { heading: "Tables", names: TABLES },
  { heading: "The service's own endpoints", names: ENDPOINTS },
];
