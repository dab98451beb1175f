import { tenTo, wholeNumber } from "../../../lambda/core/amount.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS, isoTime } from "../../../lambda/core/time.ts";
import { type Point, type Verdict, withLater } from "../../../lambda/core/verdict.ts";
import type { ArchiveView } from "../../../lambda/web/data/archives.ts";
import type { PackLine } from "../../../lambda/web/data/standing.ts";
import type { NetFigure, PackDetails, PackEntry } from "../../../lambda/web/packs.ts";
import type { JobState, MakeRequest } from "../../../lambda/web/ports.ts";
import { accountsPage } from "../../../lambda/web/views/accounts.ts";
import { comparePage } from "../../../lambda/web/views/compare.ts";
import type { Frame } from "../../../lambda/web/views/frame.ts";
import { historyPage } from "../../../lambda/web/views/history.ts";
import { inputsPage } from "../../../lambda/web/views/inputs.ts";
import { jobPage } from "../../../lambda/web/views/jobs.ts";
import { makeLink } from "../../../lambda/web/views/links.ts";
import { makePage } from "../../../lambda/web/views/make.ts";
import {
  leadingOnPage,
  notFromHerePage,
  problemPage,
  refusedPage,
  signedOutHerePage,
  signedOutPage,
  signInFailedPage,
  signInNeededPage,
  signInPage,
  troublePage,
  tryAgainPage,
} from "../../../lambda/web/views/notices.ts";
import { overviewPage } from "../../../lambda/web/views/overview.ts";
import { packPage } from "../../../lambda/web/views/pack.ts";
import { pagingOf } from "../../../lambda/web/views/paging.ts";
import { comparisonOf } from "./comparisons.ts";

// Every page, filled from one seed text wherever text from others may appear, so that a hostile text reaches
// every such place.

export interface Sample {
  readonly name: string;
  readonly page: string;
}

const NOW = Date.UTC(2026, 1, 3, 14, 5);
const METHODS = ["average", "fifo", "lifo", "hifo", "specific"];
const SUM = "d330e5f958199aef2e2d4c0e7b05fea01f801f64fa51e56c183ffdce6eac1ea4";
const TABLES =
  "summary summary-months summary-days balance fees realised-pnl closed-trades open-positions open-lots form-8949 fills journal imports/koinly imports/cointracking exceptions restatements control-totals inputs/opening-positions";
const PATHS = [
  ...["report.html", "workbook.xlsx", "fills.parquet", "journal.beancount", "journal.hledger"],
  ...TABLES.split(" ").map((name) => `${name}.csv`),
  ...["completeness.json", "datapackage.json", "SHA256SUMS"],
];

/** The usual texts, or one text in place of all of them. */
export type Texts = (usual: string) => string;

export function frameOf(texts: Texts = (usual) => usual): Frame {
  return { user: { name: texts("ada") }, csrf: texts("c5r7") };
}

export function packOf(changes: Partial<PackDetails> = {}, texts: Texts = (usual) => usual): PackDetails {
  const { from, to, zone } = parsePeriod("us-2025");
  return {
    period: texts("us-2025"),
    version: texts("830c0ce081cee4a6"),
    complete: true,
    latest: true,
    latestGone: null,
    madeAt: NOW - 3 * DAY_MS,
    bytes: 43_610_221,
    zipBytes: 9_120_512,
    files: PATHS.map((path, at) => ({
      path: texts(path),
      bytes: 12 * 3 ** (at % 13),
      sha256: path === "SHA256SUMS" ? null : texts(SUM),
    })),
    claim: {
      from: texts(isoTime(from)),
      to: texts(isoTime(to)),
      zone: texts(zone),
      method: texts("fifo"),
      isMethodChosen: true,
      basis: texts("fill"),
      currency: texts("EUR"),
      fills: 19_982,
      exceptions: 36,
      restatements: { late: 2, changed: 1, enriched: 0 },
      gaps: [],
      assumed: { silenceDays: 7, vanished: 0 },
      inputs: [{ name: texts("opening-positions.csv"), sha256: texts(SUM) }],
      nets: netsOf(texts),
      accounts: [],
      verdict: verdictOf(texts),
    },
    note: null,
    store: "archive",
    versions: [],
    ...changes,
  };
}

function verdictOf(texts: Texts): Verdict {
  return {
    claim: texts("Records complete; cash differs in USD; PnL missing for 1 of 11 markets"),
    text: texts("Every fill the venue reports for this period was retrieved, with no gaps."),
    points: [
      {
        about: "cash",
        text: texts("Cash in USD differs by 1,148.73 from balances.csv."),
        remedy: texts("Correct balances.csv and make the pack again."),
        see: "reconciliation",
      },
      { about: "note", text: texts("Opening position assumed to be nil: 11 markets.") },
    ],
  };
}

/** Two currencies: one that is a part, and one of which nothing is known. */
export function netsOf(texts: Texts = (usual) => usual): readonly NetFigure[] {
  const net = wholeNumber(-12_047_893).times(tenTo(-2));
  return [
    { currency: texts("USD"), net, isFundingIncluded: true, isPartial: true },
    { currency: texts("USDC"), net: null, isFundingIncluded: true, isPartial: false },
  ];
}

function archiveOf(texts: Texts, changes: Partial<ArchiveView> = {}): ArchiveView {
  return {
    account: texts("main"),
    coverage: [
      { from: Date.UTC(2023, 0, 1), to: Date.UTC(2025, 2, 4, 12, 30) },
      { from: Date.UTC(2025, 2, 19, 7), to: NOW - HOUR_MS },
    ],
    fills: 41_377,
    seq: 12,
    firstTrade: Date.UTC(2023, 0, 9, 10, 30),
    lastRun: { endedAt: NOW - HOUR_MS, complete: false, problem: texts("the token was refused") },
    assumed: { silenceDays: 7, vanished: 1 },
    skewMs: 0,
    restatements: [],
    ...changes,
  };
}

/** The year in four versions, newest first. */
function versionsOf(texts: Texts): PackEntry[] {
  const { claim: _, files: __, versions: ___, ...entry } = packOf({}, texts);
  const versions = ["830c0ce081cee4a6", "bba7364eecb8a33d", "0a1b2c3d4e5f6071-INCOMPLETE", "1f1f1f1f1f1f1f1f"];
  return versions.map((version, at) => ({
    ...entry,
    version: texts(version),
    complete: !version.endsWith("INCOMPLETE"),
    latest: at === 0,
    madeAt: entry.madeAt - at * 40 * DAY_MS,
  }));
}

/** Newest first: the year in four versions, and `count` periods of a month each. */
export function linesOf(count: number, texts: Texts = (usual) => usual): PackLine[] {
  const { claim, ...pack } = packOf({}, texts);
  const verdict = withLater(claim.verdict, [laterPoint(texts)]);
  const months = Array.from({ length: count }, (_, at) => ({
    pack: {
      ...pack,
      period: texts(`month-${2016 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`),
      bytes: 812_003 * (at + 1),
    },
    claim,
    verdict: { ...claim.verdict, claim: "Records complete; PnL calculated for 11 markets", points: [] },
    otherVersions: 0,
  }));
  return [{ pack, claim, verdict, otherVersions: 3 }, ...months];
}

function laterPoint(texts: Texts): Point {
  const text = texts("3 fills of this period came late or changed since this pack was made.");
  return { about: "stale", text, remedy: texts("Make it again.") };
}

export function jobOf(changes: Partial<JobState> = {}, texts: Texts = (usual) => usual): JobState {
  const request: MakeRequest = {
    account: texts("main"),
    kind: "export",
    period: texts("us-2025"),
    zone: texts("America/New_York"),
    method: texts("fifo"),
  };
  return {
    id: texts("j-20260203-1"),
    request,
    startedBy: texts("ada"),
    startedAt: NOW - 90_000,
    state: "running",
    covered: 0.4267,
    note: texts("Reading March 2025: 12,400 fills so far."),
    pack: null,
    ...changes,
  };
}

function markedPath(path: string): string {
  const name = path.lastIndexOf("/") + 1;
  return `${path.slice(0, name)}INCOMPLETE-${path.slice(name)}`;
}

/** Every page. */
export function samplesOf(texts: Texts = (usual) => usual): Sample[] {
  const frame = frameOf(texts);
  const archive = archiveOf(texts);
  const account = archive.account;
  const unread = archiveOf(texts, { coverage: [], fills: 0, firstTrade: null, lastRun: null });
  const running = jobOf({}, texts);
  const done = jobOf(
    { id: texts("j-2"), state: "done", covered: 1, note: texts("The pack is ready."), pack: packOf({}, texts) },
    texts,
  );
  const failed = jobOf(
    {
      id: texts("j-3"),
      state: "failed",
      covered: 0.2,
      note: texts(
        "The token was refused: the service answered 401 to the first page. Ask whoever runs fillbook to put in a new one.",
      ),
      request: { account, kind: "export", from: texts("2025-01-01"), to: texts("2025-02-01"), zone: texts("UTC") },
    },
    texts,
  );
  const stopped = jobOf({ id: texts("j-5"), state: "stopped", note: texts("This job was stopped.") }, texts);
  const sync = jobOf({ id: texts("j-4"), state: "done", request: { account, kind: "sync" } }, texts);
  const lines = linesOf(2, texts);
  const [leading = null] = lines;
  const versions = versionsOf(texts);
  const pack = packOf({ versions }, texts);
  const incomplete = packOf(
    {
      complete: false,
      latest: false,
      version: texts("0a1b2c3d4e5f6071-INCOMPLETE"),
      files: pack.files.map((file) => ({ ...file, path: markedPath(file.path) })),
      claim: {
        ...pack.claim,
        gaps: [{ from: texts("2025-03-04T12:30:00.000Z"), to: texts("2025-03-19T07:00:00.000Z") }],
        verdict: {
          claim: "INCOMPLETE",
          text: "Do not file from this statement.",
          points: [{ about: "records", text: "1 range of time could not be read.", remedy: "Read what is missing." }],
        },
      },
    },
    texts,
  );
  const old = packOf({ version: texts("bba7364eecb8a33d"), latest: false, versions }, texts);
  const check = { period: null, checkedAt: NOW - DAY_MS, seq: 3, ok: true, checked: 134, findings: 0 };
  const checks = {
    files: { ...check, kind: "files" as const },
    rewalk: { ...check, kind: "rewalk" as const, period: texts("us-2025"), ok: false, findings: 2 },
  };
  const [whole, middle] = [pagingOf(3, 25, null), pagingOf(60, 25, "2")];
  const listed = { find: "", paging: whole };
  const overview = {
    archive,
    role: "operator" as const,
    packs: { lines, gone: [], find: "", paging: whole },
    inputs: [texts("opening-positions.csv"), texts("rates/ecb.csv")],
    unusable: [texts("notes.txt")],
    leading,
    periods: ["us-2025"],
    jobs: [running, done, failed, sync, stopped],
    checks,
    cannotAsk: null,
    now: NOW,
  };
  const makeForm = (changes: Partial<Parameters<typeof makePage>[1]> = {}) =>
    makePage(frame, {
      account,
      archive,
      methods: METHODS,
      country: "uk",
      cannotAsk: null,
      refused: null,
      inputs: [texts("funding.csv")],
      unusable: [texts("notes.txt"), texts("marks (1).csv")],
      now: NOW,
      ...changes,
    });
  const obstacle = { message: texts("there is no token"), hint: texts("start it again with one") };
  const packView = (shown: PackDetails, later: readonly Point[] = []) => ({
    account,
    pack: shown,
    checks,
    verdict: withLater(shown.claim.verdict, later),
    current: versions.find(({ latest, version }) => latest && version !== shown.version) ?? null,
    others: shown.versions.filter(({ version }) => version !== shown.version),
    paging: whole,
  });
  const changes = comparisonOf(texts);
  const records = ["*", "fills.csv", "imports/koinly.csv"].map((path, at) => ({
    at: NOW - at * HOUR_MS,
    user: texts("ada"),
    account,
    period: pack.period,
    version: pack.version,
    path: path === "*" ? path : texts(path),
  }));
  const line = { bytes: 1234, modifiedMs: NOW - 3 * HOUR_MS, stamp: SUM, problem: null };
  const understood = texts("33 series of rates, 1999-01-04 to 2026-02-02 (ECB, reference rates of each day)");
  const files = {
    account,
    zone: texts("America/New_York"),
    mostFileBytes: 4_500_000,
    inputs: [
      {
        ...line,
        name: texts("funding.csv"),
        understood: null,
        problem: { message: texts("funding.csv, line 3: amount is empty"), hint: texts("write an amount") },
      },
      { ...line, name: texts("opening-positions.csv"), understood: texts("3 opening positions") },
      { ...line, name: texts("rates/ecb.csv"), bytes: 2_087_104, understood },
    ],
    unreadable: [],
    isRead: true,
    problem: null,
    refused: null,
    done: { what: "put" as const, name: texts("opening-positions.csv") },
  };
  const known = { archive: unread, leading: null, periods: [], cannotAsk: null, running: [] };
  const accountsOf = (
    accounts: Parameters<typeof accountsPage>[1]["accounts"],
    more: Partial<Parameters<typeof accountsPage>[1]> = {},
  ) => accountsPage(frame, { ...listed, accounts, cannotAsk: null, now: NOW, ...more });
  const linked = {
    message: texts("not used: books/main/inputs/marks (1).csv is a symbolic link, and only files are read"),
    hint: texts("remove it: no pack can be made while it is there"),
  };
  const reading = jobOf({ request: { account, kind: "sync" }, phase: "reading", stopping: true }, texts);
  const pages: Readonly<Record<string, string>> = {
    accounts: accountsOf(
      [
        { account, known: { ...known, archive, leading, periods: overview.periods } },
        { account: texts("desk-1"), known: { ...known, archive: { ...archive, coverage: [] }, running: [running] } },
        { account: texts("desk-2"), known: null },
      ],
      { cannotAsk: obstacle },
    ),
    "accounts-new": accountsOf([{ account, known }]),
    "accounts-reading": accountsOf([
      { account, known: { ...known, archive: { ...unread, fills: 3200 }, running: [reading] } },
    ]),
    "accounts-of-many": accountsOf([{ account, known: null }], { find: texts("ma"), paging: middle }),
    overview: overviewPage(frame, overview),
    "overview-new": overviewPage(frame, {
      ...overview,
      role: "accountant",
      archive: unread,
      packs: { lines: [], gone: [], find: "", paging: pagingOf(0, 25, null) },
      leading: null,
      periods: [],
      jobs: [],
    }),
    "overview-reading": overviewPage(frame, { ...overview, archive: { ...unread, fills: 3200 }, jobs: [reading] }),
    make: makeForm(),
    "make-of-nothing": makeForm({ archive: unread, cannotAsk: obstacle }),
    "make-refused": makeForm({
      refused: {
        fields: new URLSearchParams({ period: "uk-2024-25", zone: texts("Europa/London"), method: "fifo" }),
        problem: { message: texts('not a time zone: "Europa/London"'), hint: texts("type an IANA name") },
        field: "zone",
        gone: null,
      },
    }),
    "make-without-files": makeForm({
      refused: {
        fields: new URLSearchParams({ period: "uk-2024-25", currency: texts("EUR") }),
        problem: { message: texts("the newest pack of this period was made with marks.csv") },
        field: null,
        gone: [texts("marks.csv")],
      },
    }),
    "overview-of-many": overviewPage(frame, {
      ...overview,
      packs: {
        lines,
        gone: [{ period: texts("us-2023"), latestGone: texts("0011223344556677") }],
        find: texts("2025"),
        paging: middle,
      },
      leading: null,
    }),
    pack: packPage(frame, packView(pack)),
    "pack-current-gone": packPage(frame, packView({ ...old, latestGone: texts("0011223344556677") })),
    "pack-restated": packPage(frame, packView(old, [laterPoint(texts)])),
    "pack-of-many": packPage(frame, { ...packView(old), paging: middle }),
    "pack-incomplete": packPage(frame, packView(incomplete)),
    compare: comparePage(frame, { account, before: old, after: pack, changes }),
    "job-running": jobPage(frame, { job: running, role: "operator", reached: Date.UTC(2025, 2, 14) }),
    ...Object.fromEntries(
      Object.entries({ "job-stopping": reading, "job-done": done, "job-failed": failed }).map(([name, job]) => [
        name,
        jobPage(frame, { job, role: "operator", reached: null }),
      ]),
    ),
    history: historyPage(frame, { account, records, older: null, isOlder: false }),
    "history-of-many": historyPage(frame, { account, records, older: texts("20260203T110500.000Z-a"), isOlder: true }),
    files: inputsPage(frame, files),
    "files-unreadable": inputsPage(frame, {
      ...files,
      unreadable: [{ name: texts("marks (1).csv"), problem: linked }],
      done: null,
    }),
    "files-refused": inputsPage(frame, {
      ...files,
      done: null,
      refused: {
        field: "file",
        problem: {
          message: texts('funding.csv, line 3: amount is "1,5", which is not a decimal number'),
          hint: texts("write it like -1234.5"),
        },
        fields: new URLSearchParams({ kind: "funding", zone: texts("Europe/London") }),
        conflict: null,
      },
    }),
    "files-conflict": inputsPage(frame, {
      ...files,
      done: null,
      refused: {
        field: null,
        problem: null,
        fields: new URLSearchParams({ kind: texts("funding") }),
        conflict: { name: texts("funding.csv"), isThere: true },
      },
    }),
    refused: refusedPage(null),
    "refused-signed-in": refusedPage(frame),
    "not-from-here": notFromHerePage(null, null),
    "not-from-here-signed-in": notFromHerePage({ frame, account }, makeLink(account)),
    trouble: troublePage("Something went wrong", "Try again in a minute."),
    "sign-in": signInNeededPage(),
    "sign-in-hosted": signInPage(),
    "sign-in-failed": signInFailedPage("/a/main"),
    "not-done-yet": tryAgainPage(),
    opening: leadingOnPage("Opening", "/sign-in?to=%2Fa%2Fmain"),
    "signed-in": leadingOnPage("Signed in", "/a/main"),
    "signed-out": signedOutPage(),
    "signed-out-here": signedOutHerePage(),
    problem: problemPage(frame, {
      message: texts('not a time zone: "Europa/London"'),
      hint: texts("type an IANA name such as Europe/London or UTC"),
      account,
      back: "/a/main",
    }),
  };
  return Object.entries(pages).map(([name, page]) => ({ name, page }));
}
