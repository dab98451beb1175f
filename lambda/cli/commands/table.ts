import type { Command } from "./command.ts";

/** The help's groups: each command with one line on what it does. */
export const COMMAND_GROUPS = {
  Commands: {
    init: "set up fillbook: asks for the addresses and the store, and writes fillbook.json",
    doctor: "show the settings, and check them, the store, the service and the token",
    sync: "read the fills that the archive lacks",
    export: "make the files of a period; missing fills are read first",
    packs: "list the packs: period, PnL, location",
    open: "open a pack's report in the browser",
    serve: "serve the page of the store to a browser on this machine",
    status: "show what the archive covers, what is missing and which command reads it",
    verify: "compare every file with its hash; with --rewalk also compare the archive with the service",
  },
  Tables: {
    periods: "list the known tax periods: name, dates, time zone",
    rates: "list the exchange rates that come with fillbook, or copy one of their files among yours",
  },
  "The service's own endpoints": {
    markets: "the names of the markets (GET /api/v1/markets)",
    specs: "the specification of every market, or of one (GET /api/v2/product-specifications)",
    "market-data": "prices, funding, open interest and volume of markets (GET /api/v1/market-data)",
    "completed-orders": "one page of completed orders, as the service returns it (GET /api/v1/completed-orders)",
    "open-order": "one open order, by either of its ids (GET /api/v1/open-order)",
    "set-leverage": "set the leverage of one market (POST /api/v1/update-leverage)",
  },
} as const;

/** A command is loaded when it is used: all of them together load the whole program. */
export const COMMANDS = {
  init: async (): Promise<Command> => (await import("./init.ts")).init,
  doctor: async (): Promise<Command> => (await import("./doctor.ts")).doctor,
  sync: async (): Promise<Command> => (await import("./sync.ts")).sync,
  export: async (): Promise<Command> => (await import("./export.ts")).exportCommand,
  packs: async (): Promise<Command> => (await import("./packs.ts")).packs,
  open: async (): Promise<Command> => (await import("./open.ts")).open,
  serve: async (): Promise<Command> => (await import("./serve.ts")).serve,
  status: async (): Promise<Command> => (await import("./status.ts")).status,
  verify: async (): Promise<Command> => (await import("./verify.ts")).verify,
  periods: async (): Promise<Command> => (await import("./periods.ts")).periods,
  rates: async (): Promise<Command> => (await import("./rates.ts")).rates,
  markets: async (): Promise<Command> => (await import("./endpoints.ts")).markets,
  specs: async (): Promise<Command> => (await import("./endpoints.ts")).specs,
  "market-data": async (): Promise<Command> => (await import("./endpoints.ts")).marketData,
  "completed-orders": async (): Promise<Command> => (await import("./endpoints.ts")).completedOrders,
  "open-order": async (): Promise<Command> => (await import("./endpoints.ts")).openOrder,
  "set-leverage": async (): Promise<Command> => (await import("./endpoints.ts")).setLeverage,
};

export type CommandName = keyof typeof COMMANDS;

export const NAMES = Object.keys(COMMANDS) as readonly CommandName[]; // the table's keys are the names

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}
