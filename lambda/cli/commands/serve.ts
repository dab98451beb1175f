import { once } from "node:events";
import { userInfo } from "node:os";
import { FillbookError, usageError } from "../../core/errors.ts";
import { MAX_FILE_BYTES } from "../../inputs/files.ts";
import type { RunContext } from "../../job/context.ts";
import { number } from "../../job/setting-values.ts";
import { SCHEMA, type Settings } from "../../job/settings.ts";
import { requireStore } from "../../job/store-place.ts";
import { accountsIn, groupsIn } from "../../web/data/archives.ts";
import { openBrowser } from "../../web/hosts/local/browser.ts";
import { openLocalPage } from "../../web/hosts/local/local-host.ts";
import { createRun } from "../../web/hosts/local/run-request.ts";
import type { PagePorts } from "../../web/ports.ts";
import type { Command, CommandContext } from "./command.ts";

const PORTS = { least: 1, most: 65_535, whole: true, example: 8080 };

export const serve: Command = {
  about: [
    "Serves a page that shows all accounts of the store: what is covered, and their packs. Packs can be made and downloaded there.",
    "Prints an address with a key, and opens it in the browser. Whoever opens it is signed in with that browser for 12 hours, and the browser before is not any more. Signing out prints another address on stderr, and this one is void.",
    "Only this machine can reach it. It runs until you stop it (ctrl-c); running jobs are then stopped too, and what they read is kept.",
    'Refused requests and finished jobs are reported on stderr. With --json {"url": "http://127.0.0.1:…"}.',
    "New fills are read only for --account, because the token belongs to it. Packs of other accounts are made from the archive.",
  ],
  options: {
    "port N": "the port, 1 to 65535 (default: any free port)",
    "no-open": "do not open the address in the browser (nor if stderr is no terminal, or with --json or --quiet)",
  },
  example: "fillbook serve --store ./fillbook-data",
  plan(given) {
    const typed = given.text("port");
    const port = typed === undefined ? 0 : number(typed, "--port", PORTS);
    return async (live) => {
      await requireStore({ account: live.settings.account, store: await live.store() });
      const problem = cannotAskFor(live.settings.account, live.settings);
      const listeners = { say: (_: string): void => undefined };
      const page = await openLocalPage({
        ports: await portsOf(live),
        run: createRun((account, report) => jobOf(live, account, report)),
        user: { name: userName(), roleIn: () => "operator" }, // who has the key can reach the whole store anyway
        port,
        clock: live.clock,
        random: live.random,
        say: (line) => listeners.say(line),
      });
      return {
        json: { url: page.url },
        lines: [page.url],
        warnings: problem === null ? [] : [`${problem.message}: packs can be made only from the archive`],
        next: [
          "open the address above in a browser",
          `${problem === null ? "" : "the page makes packs from the archive only; "}whoever opens the address is signed in; ctrl-c here ends the page`,
        ],
        async goesOn({ say, isSeen }) {
          listeners.say = say;
          const isQuiet = live.settings.json || live.settings.quiet;
          const opens = isSeen && !(isQuiet || given.has("no-open"));
          const forget = opens ? await openBrowser(page.url).catch(() => null) : null;
          await (live.signal.aborted ? null : once(live.signal, "abort"));
          await Promise.all([page.close(), forget?.()]);
          if (!isQuiet) {
            say("the page is closed");
          }
        },
      };
    };
  },
};

async function portsOf(live: CommandContext): Promise<Omit<PagePorts, "jobs">> {
  const { clock, random, settings } = live;
  const store = await live.store();
  return {
    storesOf: (account) => ({ account, store, packs: store }),
    cannotAsk: (account) => cannotAskFor(account, settings),
    // The browser runs on the machine that has the files.
    links: null,
    mostFileBytes: MAX_FILE_BYTES,
    newId: () => random.id(),
    now: () => clock.now(),
    // Lists the account of the settings even before its first run.
    accounts: async () => [...new Set([...(await accountsIn(store)), settings.account])].sort(),
    groups: () => groupsIn(store, store),
  };
}

async function jobOf(live: CommandContext, account: string, report: RunContext["report"]): Promise<RunContext> {
  const job = { ...(await live.job()), account, report };
  const refused = cannotAskFor(account, live.settings);
  if (refused === null) {
    const completedOrders: RunContext["reader"]["completedOrders"] = (...asked) =>
      job.reader.completedOrders(...asked).catch((error) => throwMended(error, live.settings));
    return { ...job, reader: { ...job.reader, completedOrders } };
  }
  const refuse = () => Promise.reject(refused);
  return { ...job, owner: async () => null, requireAccess: refuse, reader: { ...job.reader, completedOrders: refuse } };
}

/**
 * Null if the service can be asked for the account: everything is set that it needs, and the token is that
 * account's. The reader is a user of the page, who must restart the program to change how it was started.
 */
function cannotAskFor(account: string, settings: Settings): FillbookError | null {
  const { account: own, token, tokenSecret, accountUrl } = settings;
  if (account !== own) {
    const hint = `run: fillbook serve --account ${account}, with the token of that account`;
    return usageError(`the service can be asked only for account ${own}, to which the token belongs`, hint);
  }
  if (token === null && tokenSecret === null) {
    return usageError("there is no token", `${RESTART} with the token in ${SCHEMA.token.variable}`);
  }
  const hint = `${RESTART} with the address in ${SCHEMA.accountUrl.variable}`;
  return accountUrl === null ? usageError("the address of the account host is not set", hint) : null;
}

const RESTART = "stop fillbook serve in its terminal (ctrl-c), and start it again";

/** A secret can be changed while the program runs; a token that the program was started with cannot. */
function throwMended(error: unknown, { token }: Settings): never {
  if (token === null || !(error instanceof FillbookError && error.kind === "token")) {
    throw error;
  }
  const hint = `${RESTART} with a token in ${SCHEMA.token.variable} that the service accepts`;
  throw new FillbookError("token", error.message, { hint, cause: error });
}

/** In some containers the user has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "local";
  }
}
