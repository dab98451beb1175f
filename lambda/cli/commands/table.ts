import type { Command } from "./command.ts";

interface Entry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** A command is loaded when it is used: all of them together load the whole program. */
  readonly load: () => Promise<Command>;
}

/** Every command under its name, in the order of the help. */
export const COMMANDS = {
  init: {
    summary: "set up fillbook: asks for the addresses and the store, and writes fillbook.json",
    load: async () => (await import("./init.ts")).init,
  },
  doctor: {
    summary: "check the settings, the store, the service and the token, and show what a sync would request",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  sync: {
    summary: "read the fills that the archive lacks",
    load: async () => (await import("./sync.ts")).sync,
  },
  export: {
    summary: "make the files of a period; missing fills are read first",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  packs: {
    summary: "list the packs: period, PnL, location",
    load: async () => (await import("./packs.ts")).packs,
  },
  open: {
    summary: "open a pack's report in the browser",
    load: async () => (await import("./open.ts")).open,
  },
  serve: {
    summary: "serve the page of the store to a browser on this machine",
    load: async () => (await import("./serve.ts")).serve,
  },
  status: {
    summary: "show what the archive covers, what is missing and which command reads it",
    load: async () => (await import("./status.ts")).status,
  },
  verify: {
    summary: "compare every file with its hash; with --rewalk also compare the archive with the service",
    load: async () => (await import("./verify.ts")).verify,
  },
  periods: {
    summary: "list the known tax periods: name, dates, time zone",
    load: async () => (await import("./periods.ts")).periods,
  },
  rates: {
    summary: "list the exchange rates that come with fillbook, or copy one of their files among yours",
    load: async () => (await import("./rates.ts")).rates,
  },
  markets: {
    summary: "the names of the markets (GET /api/v1/markets)",
    load: async () => (await import("./markets.ts")).markets,
  },
  specs: {
    summary: "the specification of every market, or of one (GET /api/v2/product-specifications)",
    load: async () => (await import("./specs.ts")).specs,
  },
  "market-data": {
    summary: "prices, funding, open interest and volume of markets (GET /api/v1/market-data)",
    load: async () => (await import("./market-data.ts")).marketData,
  },
  "completed-orders": {
    summary: "one page of completed orders, as the service returns it (GET /api/v1/completed-orders)",
    load: async () => (await import("./completed-orders.ts")).completedOrders,
  },
  "open-order": {
    summary: "one open order, by either of its ids (GET /api/v1/open-order)",
    load: async () => (await import("./open-order.ts")).openOrder,
  },
  "set-leverage": {
    summary: "set the leverage of one market (POST /api/v1/update-leverage)",
    load: async () => (await import("./set-leverage.ts")).setLeverage,
  },
} satisfies Readonly<Record<string, Entry>>;

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

export const NAMES = Object.keys(COMMANDS) as readonly CommandName[]; // the table's keys are the names

/** The groups of the help. Commands of no other group are for daily use. */
export const COMMAND_GROUPS: readonly { readonly heading: string; readonly names: readonly CommandName[] }[] = [
  { heading: "Commands", names: NAMES.filter((name) => ![...TABLES, ...ENDPOINTS].includes(name)) },
  { heading: "Tables", names: TABLES },
  { heading: "The service's own endpoints", names: ENDPOINTS },
];
