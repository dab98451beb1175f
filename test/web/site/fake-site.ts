import { createHash } from "node:crypto";
import { accountsIn } from "../../../lambda/core/account-name.ts";
import type { DownloadRecord } from "../../../lambda/web/data/downloads.ts";
import type { Refusal } from "../../../lambda/web/page-context.ts";
import type { JobState, MakeRequest, PagePorts, User } from "../../../lambda/web/ports.ts";
import { ROUTES } from "../../../lambda/web/routes/table.ts";
import { createSite } from "../../../lambda/web/site.ts";
import { signInPage } from "../../../lambda/web/views/notices.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { countedIds } from "../../support/prng.ts";
import { completeness, latestText, putPack } from "../data/hand-written.ts";

export const NOW = Date.UTC(2026, 1, 1);
export const ORIGIN = "http://127.0.0.1:4711";
/** The files of the newer pack, by path. */
export const FILES: Readonly<Record<string, string>> = {
  "fills.csv": "a,b\r\n1,2\r\n",
  "imports/koinly.csv": "x\r\n",
  "report.html": "<!DOCTYPE html><title>Statement</title><p>of main</p>",
  "completeness.json": completeness("us-2025"),
};
export const VERSION = "0123456789abcdef";
export const OLDER = "fedcba9876543210";
export const FOLDER = `main/packs/us-2025/${VERSION}`;

/** Packs of both accounts. */
export const TOGETHER = "main_other";

/** The ZIP of the newer pack. */
export const ZIP = Buffer.from("PK, for a test");

export function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Two accounts in memory, and packs of both: one period in two versions each. A started job runs forever. */
export interface FakePorts extends PagePorts {
  readonly store: MemoryStore;
  /** The kept records of downloads. */
  readonly records: () => DownloadRecord[];
  readonly started: MakeRequest[];
  /** Account and id of each. */
  readonly stopped: string[];
}

export function fakePorts(given: Partial<Pick<PagePorts, "links" | "cannotAsk" | "mostFileBytes">> = {}): FakePorts {
  const store = memoryStore("memory", () => NOW);
  for (const account of ["main", "other", TOGETHER]) {
    for (const [version, method] of [[VERSION, "fifo"] as const, [OLDER, "average"] as const]) {
      const claim = completeness("us-2025", { account, method, of: accountsIn(account) });
      const files = { ...FILES, "completeness.json": claim };
      putPack(store, { account, period: "us-2025", version, files });
    }
    store.put(`${account}/packs/us-2025/${VERSION}.zip`, ZIP);
    store.put(`${account}/packs/us-2025/latest.json`, latestText(VERSION));
  }
  const started: MakeRequest[] = [];
  const stopped: string[] = [];
  const jobs: JobState[] = [];
  return {
    store,
    started,
    stopped,
    records: () =>
      [...store.snapshot()]
        .filter(([key]) => key.includes("/downloads/"))
        .map(([, body]) => {
          const { format: _, ...record } = JSON.parse(Buffer.from(body).toString());
          return record;
        }),
    accounts: () => Promise.resolve(["main", "other"]),
    groups: () => Promise.resolve([TOGETHER]),
    storesOf: (account) => ({ account, store, packs: store }),
    jobs: {
      start(request, user) {
        started.push(request);
        const asked = { id: `job-${started.length}`, request, startedBy: user.name, startedAt: NOW };
        const state: JobState = { ...asked, state: "running", covered: null, note: "Begun.", pack: null };
        jobs.push(state);
        return Promise.resolve(state);
      },
      stop(account, id) {
        stopped.push(`${account} ${id}`);
        return Promise.resolve();
      },
      find: (account, id) =>
        Promise.resolve(jobs.find((job) => job.id === id && job.request.account === account) ?? null),
      recent: (account) => Promise.resolve(jobs.filter(({ request }) => request.account === account)),
    },
    cannotAsk: () => null,
    links: null,
    mostFileBytes: 100_000,
    newId: countedIds(),
    now: () => NOW,
    ...given,
  };
}

export const ACCOUNTANT: User = {
  name: "ann",
  roleIn: (account) => (account === "main" ? "accountant" : null),
};
export const OPERATOR: User = {
  name: "olga",
  roleIn: (account) => (account === "main" ? "operator" : null),
};

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Null: nobody is signed in. */
  readonly user?: User | null;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type TestedSite = ReturnType<typeof testedSite>;

/** A site over these ports. */
export function testedSite(ports: PagePorts) {
  const refusals: Refusal[] = [];
  const problems: unknown[] = [];
  const site = createSite({
    ports,
    signInPage: signInPage(),
    origin: null,
    host: (pages) =>
      pages.use(async (c, next) => {
        const { user } = c.env as { readonly user: User | null };
        if (user !== null) {
          c.set("visitor", { user, root: "" });
        }
        await next();
      }),
    signOut: (c) => c.redirect("/", 303),
    refused: (refusal) => refusals.push(refusal),
    report: (error) => problems.push(error),
  });
  const ask = async (target: string, { method = "GET", headers, body, user = ACCOUNTANT }: Asked = {}) => {
    const sent = { method, ...(headers === undefined ? {} : { headers }), ...(body === undefined ? {} : { body }) };
    const response = await site.fetch(new Request(`${ORIGIN}${target}`, sent), { user });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };
  return {
    refusals,
    problems,
    ask,
    /** Sends a form as the page's own form would. */
    post: (target: string, fields: Readonly<Record<string, string>>, asked: Asked = {}) =>
      ask(target, {
        method: "POST",
        body: String(new URLSearchParams(fields)),
        ...asked,
        headers: { ...FORM_HEADERS, ...asked.headers },
      }),
  };
}

/** Every route of an account, with each of its methods. */
export const ACCOUNT_ROUTES = Object.entries(ROUTES)
  .filter(([pattern]) => pattern.includes(":account"))
  .flatMap(([pattern, handlers]) => Object.keys(handlers).map((method) => ({ pattern, method })));

/** A route's path in this account. */
export function pathOf(pattern: string, account = "main"): string {
  const names: Readonly<Record<string, string>> = { account, period: "us-2025", version: VERSION, id: "job-1" };
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? "");
}

/** The headers that a browser sends with a form of this page. */
export const FORM_HEADERS = {
  "content-type": "application/x-www-form-urlencoded",
  origin: "null",
  "sec-fetch-site": "same-origin",
};

/** A site and its ports. */
export function openSite(...given: Parameters<typeof fakePorts>) {
  const ports = fakePorts(...given);
  return { ports, ...testedSite(ports) };
}
