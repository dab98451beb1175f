import { userInfo } from "node:os";
import { FillbookError } from "../errors.ts";
import type { Job } from "../job.ts";
import { accountsIn } from "../page/data/archives.ts";
import { pageData } from "../page/data/data.ts";
import type { Links, PagePorts, User } from "../page/ports.ts";
import { openBrowser } from "../serve/browser.ts";
import { openPageHome } from "../serve/page-home.ts";
import { createRun } from "../serve/run-request.ts";
import type { Command, Given, Live } from "./command.ts";
import { noPositionals } from "./positionals.ts";

export const serve: Command = {
  summary: "the page of the store, for a browser on this machine",
  usage: "[--port N] [--open]",
  about: [
    "Serves a page that shows all accounts of the store: what is covered, their packs, how to make and to download them.",
    "Prints an address with a key that works once; whoever opens it is signed in, with their browser, for 12 hours or until they sign out.",
    "Only this machine can reach it. It runs until it is stopped (ctrl-c); work that it has begun then ends as after a ctrl-c.",
    'Refused requests and the ends of jobs go to stderr. With --json {"url": "http://127.0.0.1:…"}.',
    "What must be read from the service is read for --account alone, whose token it has; of other accounts it makes packs from what is kept.",
  ],
  options: {
    port: { value: "N", help: "the port, 1 to 65535 (default: any that is free)" },
    open: { value: null, help: "also open the address in the browser" },
  },
  example: "fillbook serve --store ./fillbook-data",
  plan(given) {
    noPositionals(given, "serve");
    const port = readPort(given);
    return async (live) => {
      const listeners = { say: (_: string): void => undefined };
      const home = await openPageHome({
        ports: await portsOf(live),
        run: createRun((account, report) => jobOf(live, account, report)),
        user: localOperator(),
        port,
        clock: live.clock,
        random: live.random,
        say: (line) => listeners.say(line),
      });
      return {
        json: { url: home.url },
        lines: [home.url],
        problem: null,
        async goesOn(say) {
          listeners.say = say;
          const forget = given.has("open") ? await openBrowser(home.url).catch(() => null) : null;
          await aborted(live.signal);
          await Promise.all([home.close(), forget?.()]);
        },
      };
    };
  },
};

function readPort(given: Given): number {
  const typed = given.text("port");
  if (typed === undefined) {
    return 0;
  }
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  if (port < 1 || port > 65_535) {
    throw new FillbookError("usage", `--port is "${typed}": it must be a whole number from 1 to 65535`, {
      hint: "for example: --port 8080, or leave it out: any that is free is taken",
    });
  }
  return port;
}

async function portsOf(live: Live): Promise<Omit<PagePorts, "jobs">> {
  const { clock, random, settings } = live;
  const now = () => clock.now();
  const [store, packStore] = await Promise.all([live.store(), live.packStore()]);
  const data = pageData({ storesOf: () => ({ store, packStore }), now, newId: () => random.id() });
  return {
    ...data,
    links: STREAMED,
    now,
    // The account of the settings is there before its first run.
    accounts: async () => [...new Set([...(await accountsIn(store)), settings.account])].sort(),
  };
}

/** Here the browser is on the machine that has the files. */
const STREAMED: Links = { toFile: () => Promise.resolve(null), toZip: () => Promise.resolve("stream") };

/** The token is that of one account: for another the service must not be asked, or its archive would hold the wrong fills. */
async function jobOf(live: Live, account: string, report: Job["report"]): Promise<Job> {
  const job = { ...(await live.job()), account, report };
  const { account: own } = live.settings;
  if (account === own) {
    return job;
  }
  const refused = new FillbookError(
    "usage",
    `the service can be asked for the account ${own} alone, whose token this is`,
    {
      hint: `run: fillbook serve --account ${account}, with the token of that account`,
    },
  );
  return { ...job, reader: { ...job.reader, completedOrders: () => Promise.reject(refused) } };
}

/** Whoever has the key: all of the store is theirs anyway. */
function localOperator(): User {
  return { name: userName(), roleIn: () => "operator" };
}

/** Some containers have no name for their user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "local";
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
