import { DAY_MS, HOUR_MS } from "../../../lambda/core/time.ts";
import { type Point, withLater } from "../../../lambda/core/verdict.ts";
import type { PackDetails } from "../../../lambda/web/packs.ts";
import type { JobState } from "../../../lambda/web/ports.ts";
import { accountsPage } from "../../../lambda/web/views/accounts.ts";
import { documentOf, type PageParts } from "../../../lambda/web/views/frame.ts";
import { historyPage } from "../../../lambda/web/views/history.ts";
import { inputsPage } from "../../../lambda/web/views/inputs.ts";
import { jobPage } from "../../../lambda/web/views/jobs.ts";
import { makePage } from "../../../lambda/web/views/make.ts";
import {
  leadingOnPage,
  notFromHerePage,
  problemPage,
  refusedPage,
  signedOutPage,
  signInFailedPage,
  signInNeededPage,
  signInPage,
  troublePage,
  tryAgainPage,
} from "../../../lambda/web/views/notices.ts";
import { groupPage, overviewPage } from "../../../lambda/web/views/overview.ts";
import { packPage } from "../../../lambda/web/views/pack.ts";
import { archiveOf, claimOf, jobOf, laterPoint, linesOf, NOW, packOf, type Texts } from "./sample-data.ts";

export interface Sample {
  readonly name: string;
  readonly page: string;
}

/** Shown to somebody who is not signed in. */
const STRANGERS: readonly string[] = ["refused", "not-from-here", "trouble"];

/** Every page. */
export function samplesOf(texts: Texts = (usual) => usual): Sample[] {
  const archive = archiveOf(texts);
  const account = archive.account;
  const unread = archiveOf(texts, { coverage: [], fills: 0, firstTrade: null, lastRun: null });
  const job = (changes: Partial<JobState> = {}) => jobOf(changes, texts);
  const running = job();
  const done = job({ state: "done", covered: 1, note: texts("The pack is ready."), pack: packOf({}, texts) });
  const days = { from: texts("2025-01-01"), to: texts("2025-02-01"), zone: texts("UTC") };
  const why = texts("The token was refused: the service answered 401. Ask whoever runs fillbook to put in a new one.");
  const failed = job({ state: "failed", covered: 0.2, note: why, request: { account, kind: "export", ...days } });
  const stopped = job({ state: "stopped", note: texts("This job was stopped.") });
  const sync = job({ state: "done", request: { account, kind: "sync" } });
  const lines = linesOf(texts);
  const [newest = null] = lines;
  const pack = packOf({}, texts);
  const claim = claimOf(
    {
      gaps: [{ from: texts("2025-03-04T12:30:00.000Z"), to: texts("2025-03-19T07:00:00.000Z") }],
      verdict: {
        ...{ claim: "INCOMPLETE", text: "Do not file from this statement." },
        points: [{ about: "records", text: "1 range of time could not be read.", remedy: "Read what is missing." }],
      },
    },
    texts,
  );
  const files = pack.files.map((file) => ({ ...file, path: file.path.replace(/^(?:.*\/)?/s, "$&INCOMPLETE-") }));
  const version = texts("0a1b2c3d4e5f6071-INCOMPLETE");
  const incomplete = packOf({ complete: false, latest: false, version, files, claim }, texts);
  const old = packOf({ version: texts("bba7364eecb8a33d"), latest: false }, texts);
  const check = { period: null, checkedAt: NOW - DAY_MS, seq: 3, ok: true, checked: 134, findings: 0 };
  const checks = {
    files: { ...check, kind: "files" as const },
    rewalk: { ...check, kind: "rewalk" as const, period: texts("us-2025"), ok: false, findings: 2 },
  };
  const stored = (name: string) => ({
    name: texts(name),
    bytes: 1234,
    modifiedMs: NOW - 3 * HOUR_MS,
    isReadable: true,
  });
  const inputs = ["funding.csv", "rates/ecb.csv"].map((name) => ({ ...stored(name), refusal: null }));
  const linked = {
    ...{ ...stored("marks (1).csv"), isReadable: false },
    refusal: {
      message: texts("books/main/inputs/marks (1).csv is a symbolic link, and only files are read"),
      hint: texts("put the file itself there"),
    },
  };
  const overview = {
    ...{ archive, role: "operator" as const, packs: lines, left: 0, inputs: [...inputs, linked] },
    ...{ jobs: [running, done, failed, sync, stopped], checks, cannotAsk: null, now: NOW },
  };
  const makeForm = (changes: Partial<Parameters<typeof makePage>[0]> = {}) =>
    makePage({
      ...{ account, archive, periods: ["uk-2024-25"], cannotAsk: null, refused: null },
      ...{ inputs: overview.inputs, now: NOW },
      ...changes,
    });
  const wrongFile = {
    message: texts('funding.csv, line 3: amount is "1,5", which is not a decimal number'),
    hint: texts("write it like -1234.5"),
  };
  const wrongZone = { message: texts('not a time zone: "Europa/London"'), hint: texts("type an IANA name") };
  const obstacle = { message: texts("there is no token"), hint: texts("start it again with one") };
  const packView = (shown: PackDetails, later: readonly Point[] = []) => ({
    ...{ account, pack: shown, checks, verdict: withLater(shown.claim.verdict, later), left: 0 },
    others: [pack, incomplete, old]
      .filter(({ version }) => version !== shown.version)
      .map((other, at) => ({ pack: other, claim: at === 0 ? null : other.claim, verdict: other.claim.verdict })),
  });
  const records = ["*", "fills.csv", "imports/koinly.csv"].map((path, at) => ({
    at: NOW - at * HOUR_MS,
    user: texts("ada"),
    account,
    period: pack.period,
    version: pack.version,
    path: path === "*" ? path : texts(path),
  }));
  const inputsOf = { account, mostFileBytes: 4_500_000, inputs, problem: null, put: texts("funding.csv") };
  const pages: Readonly<Record<string, PageParts>> = {
    accounts: accountsPage(
      [
        { account, known: { archive, newest } },
        { account: texts("desk-1"), known: { archive: unread, newest: null } },
        { account: texts("hedge_main"), known: { archive: null, newest } },
        { account: texts("desk-2"), known: { damage: obstacle } },
      ],
      obstacle,
    ),
    "accounts-of-many": accountsPage([{ account, known: null }], null),
    overview: overviewPage(overview),
    "overview-new": overviewPage({ ...overview, role: "accountant", archive: unread, packs: [], jobs: [] }),
    "overview-of-many": overviewPage({ ...overview, left: 35 }),
    together: groupPage(texts("hedge_main"), lines, 35),
    make: makeForm(),
    "make-of-nothing": makeForm({ archive: unread, cannotAsk: obstacle }),
    "make-refused": makeForm({
      refused: {
        fields: new URLSearchParams({ period: "uk-2024-25", zone: texts("Europa/London"), currency: texts("EUR") }),
        problem: wrongZone,
      },
    }),
    pack: packPage(packView(pack)),
    "pack-restated": packPage({ ...packView(old, [laterPoint(texts)]), left: 7 }),
    "pack-incomplete": packPage(packView(incomplete)),
    "job-running": jobPage({ job: running, role: "operator" }),
    "job-done": jobPage({ job: done, role: "operator" }),
    "job-failed": jobPage({ job: failed, role: "accountant" }),
    history: historyPage(account, records, 200),
    files: inputsPage(inputsOf),
    "files-unreadable": inputsPage({ ...inputsOf, inputs: [...inputs, linked], put: undefined }),
    "files-refused": inputsPage({ ...inputsOf, problem: wrongFile }),
    refused: refusedPage(),
    "refused-signed-in": refusedPage(),
    "not-from-here": notFromHerePage(undefined),
    "not-from-here-signed-in": notFromHerePage(account),
    trouble: troublePage("Something went wrong", "Try again in a minute."),
    "sign-in": signInNeededPage(),
    "sign-in-hosted": signInPage(),
    "sign-in-failed": signInFailedPage("/a/main"),
    "not-done-yet": tryAgainPage(),
    opening: leadingOnPage("Opening", "/sign-in?to=%2Fa%2Fmain"),
    "signed-in": leadingOnPage("Signed in", "/a/main"),
    "signed-out": signedOutPage(),
    problem: problemPage(account, wrongZone),
  };
  const visitor = { user: { name: texts("ada") } };
  return Object.entries(pages).map(([name, page]) => ({
    name,
    page: documentOf(page, STRANGERS.includes(name) ? null : visitor),
  }));
}
