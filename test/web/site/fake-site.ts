import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type {
  DownloadRecord,
  JobState,
  MakeRequest,
  PackDetails,
  PackEntry,
  PackFileEntry,
  PagePorts,
  User,
} from "../../../lambda/web/ports.ts";
import type { PageAnswer, PageRequest, Refusal, Visitor } from "../../../lambda/web/request.ts";
import { createSite } from "../../../lambda/web/site.ts";

export const NOW = Date.UTC(2026, 1, 1);
export const ORIGIN = "http://127.0.0.1:4711";
export const CSRF = "the-token-of-this-session";
/** Of the packs, by path. */
export const FILES: Readonly<Record<string, string>> = {
  "fills.csv": "a,b\r\n1,2\r\n",
  "imports/koinly.csv": "x\r\n",
  "report.html": "<!DOCTYPE html><title>Statement</title><p>of main</p>",
};
export const VERSION = "0123456789abcdef";
export const OLDER = "fedcba9876543210";

export function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Two accounts with one period in two versions each; what it is asked to start runs for ever. */
export interface FakePorts extends PagePorts {
  readonly records: DownloadRecord[];
  readonly started: MakeRequest[];
}

export interface FakeWorld {
  readonly accounts: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** What the store gives in place of a file. */
  readonly stored: Readonly<Record<string, string>>;
  readonly links: PagePorts["links"];
  readonly start: (request: MakeRequest) => void;
}

export function fakePorts(world: Partial<FakeWorld> = {}): FakePorts {
  const files = world.files ?? FILES;
  const records: DownloadRecord[] = [];
  const started: MakeRequest[] = [];
  const jobs: JobState[] = [];
  const details = (account: string, version: string): PackDetails => ({
    ...entryOf(version),
    files: Object.entries(files).map(
      ([path, text]): PackFileEntry => ({ path, bytes: Buffer.byteLength(text), sha256: sha256Of(text) }),
    ),
    claim: {
      from: "2025-01-01T05:00:00.000Z",
      to: "2026-01-01T05:00:00.000Z",
      zone: "America/New_York",
      method: "average",
      basis: "fill",
      currency: null,
      fills: account.length,
      exceptions: 0,
      restatements: { late: 0, changed: 0, enriched: 0 },
      gaps: [],
    },
    versions: [entryOf(VERSION), entryOf(OLDER)],
  });
  return {
    records,
    started,
    accounts: () => Promise.resolve(world.accounts ?? ["main", "other"]),
    archiveOf: (account) =>
      Promise.resolve({ account, coverage: [], fills: 3, lastRun: null, busy: false, restatements: async () => [] }),
    packs: {
      periods: () => Promise.resolve([{ name: "us-2025", stores: ["archive"] }]),
      claims: (account, packs) => Promise.resolve(packs.map(({ version }) => details(account, version).claim)),
      restatedSince: (_, claims) => Promise.resolve(claims.map(() => 0)),
      list: (_, periods) => Promise.resolve(periods.flatMap(() => [entryOf(VERSION), entryOf(OLDER)])),
      find: (account, period, version) =>
        Promise.resolve(period === "us-2025" && [VERSION, OLDER].includes(version) ? details(account, version) : null),
      compare: () =>
        Promise.resolve({ sums: null, figures: [{ what: "fills", before: "1", after: "2" }], fills: [], files: [] }),
      open: (_, __, path) => Promise.resolve(piecesOf(world.stored?.[path] ?? files[path] ?? null)),
    },
    jobs: {
      start(request, user) {
        world.start?.(request);
        started.push(request);
        const id = `job-${started.length}`;
        jobs.push({
          id,
          request,
          startedBy: user.name,
          startedAt: NOW,
          state: "running",
          covered: null,
          note: "Begun.",
          pack: null,
        });
        return Promise.resolve(jobs.at(-1) as JobState);
      },
      find: (account, id) =>
        Promise.resolve(jobs.find((job) => job.id === id && job.request.account === account) ?? null),
      recent: (account) => Promise.resolve(jobs.filter(({ request }) => request.account === account)),
    },
    downloads: {
      record(record) {
        records.push(record);
        return Promise.resolve();
      },
      recent: (account, limit) =>
        Promise.resolve({ records: records.filter((one) => one.account === account).slice(0, limit), older: null }),
    },
    links: world.links ?? { toFile: () => Promise.resolve(null), toZip: () => Promise.resolve("stream") },
    now: () => NOW,
  };
}

function entryOf(version: string): PackEntry {
  const isLatest = version === VERSION;
  return { period: "us-2025", version, complete: true, latest: isLatest, madeAt: NOW, bytes: 70, store: "archive" };
}

function piecesOf(text: string | null): AsyncIterable<Uint8Array> | null {
  return text === null ? null : new Blob([text]).stream();
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
  readonly body?: string | Uint8Array;
  /** Null: nobody is signed in. */
  readonly user?: User | null;
}

export interface Answered extends Omit<PageAnswer, "body"> {
  readonly body: string;
}

export interface TestedSite {
  readonly ask: (target: string, asked?: Asked) => Promise<Answered>;
  /** Sends a form as the page's own would be. */
  readonly post: (target: string, fields: Readonly<Record<string, string>>, asked?: Asked) => Promise<Answered>;
  readonly refusals: Refusal[];
  readonly problems: unknown[];
  readonly bytes: (target: string) => Promise<Buffer>;
}

/** A site over these ports. */
export function testedSite(ports: PagePorts): TestedSite {
  const refusals: Refusal[] = [];
  const problems: unknown[] = [];
  const site = createSite({
    ports,
    methods: ["average", "fifo"],
    signInPage: "<p>sign in</p>",
    refused: (refusal) => refusals.push(refusal),
    report: (error) => problems.push(error),
  });
  const answer = (target: string, asked: Asked): Promise<PageAnswer> => {
    const user = asked.user === undefined ? ACCOUNTANT : asked.user;
    return site(requestOf(target, asked), user === null ? null : visitorOf(user));
  };
  const ask = async (target: string, asked: Asked = {}): Promise<Answered> => {
    const { status, headers, body } = await answer(target, asked);
    return { status, headers, body: (await bytesOf(body)).toString() };
  };
  return {
    refusals,
    problems,
    ask,
    post: (target, fields, asked = {}) =>
      ask(target, {
        method: "POST",
        body: String(new URLSearchParams({ csrf: CSRF, ...fields })),
        ...asked,
        headers: { ...FORM_HEADERS, ...asked.headers },
      }),
    bytes: async (target) => await bytesOf((await answer(target, {})).body),
  };
}

/** What a browser sends along with a form of this page. */
export const FORM_HEADERS = {
  "content-type": "application/x-www-form-urlencoded",
  origin: "null",
  "sec-fetch-site": "same-origin",
};

function visitorOf(user: User): Visitor {
  const signOut = () => Promise.resolve({ status: 303, headers: { location: "/" }, body: "" });
  return { user, csrf: CSRF, origin: ORIGIN, signOut };
}

function requestOf(target: string, { method = "GET", headers = {}, body = "" }: Asked): PageRequest {
  const [path = "", query = ""] = target.split("?");
  return { method, path, query: new URLSearchParams(query), headers, body: Buffer.from(body) };
}

async function bytesOf(body: PageAnswer["body"]): Promise<Buffer> {
  return typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : await buffer(body);
}
