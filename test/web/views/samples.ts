import { DAY_MS, HOUR_MS } from "../../../lambda/core/time.ts";
import { type Point, withLater } from "../../../lambda/core/verdict.ts";
import type { PackDetails } from "../../../lambda/web/packs.ts";
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
import {
  archiveOf,
  jobOf,
  laterPoint,
  linesOf,
  markedPath,
  NOW,
  packOf,
  SUM,
  type Texts,
  versionsOf,
} from "./sample-data.ts";

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
  const overview = {
    archive,
    role: "operator" as const,
    packs: { lines, gone: [], left: 0 },
    inputs: [texts("opening-positions.csv"), texts("rates/ecb.csv")],
    unusable: [texts("notes.txt")],
    leading,
    periods: ["us-2025"],
    jobs: [running, done, failed, sync, stopped],
    checks,
    cannotAsk: null,
    now: NOW,
  };
  const makeForm = (changes: Partial<Parameters<typeof makePage>[0]> = {}) =>
    makePage({
      account,
      archive,
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
    others: shown.versions
      .filter(({ version }) => version !== shown.version)
      .map((other, at) => ({ pack: other, claim: at === 1 ? null : shown.claim })),
  });
  const records = ["*", "fills.csv", "imports/koinly.csv"].map((path, at) => ({
    at: NOW - at * HOUR_MS,
    user: texts("ada"),
    account,
    period: pack.period,
    version: pack.version,
    path: path === "*" ? path : texts(path),
  }));
  const line = { isUsable: true, bytes: 1234, modifiedMs: NOW - 3 * HOUR_MS, stamp: SUM, problem: null };
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
    isRead: true,
    problem: null,
    refused: null,
    done: { what: "put" as const, name: texts("opening-positions.csv") },
  };
  const known = { archive: unread, leading: null, periods: [], cannotAsk: null, jobs: [] };
  const accountsOf = (
    accounts: Parameters<typeof accountsPage>[0]["accounts"],
    more: Partial<Parameters<typeof accountsPage>[0]> = {},
  ) => accountsPage({ accounts, cannotAsk: null, now: NOW, ...more });
  const linked = {
    message: texts("not used: books/main/inputs/marks (1).csv is a symbolic link, and only files are read"),
    hint: texts("remove it: no pack can be made while it is there"),
  };
  const reading = jobOf({ request: { account, kind: "sync" }, stopping: true }, texts);
  const pages: Readonly<Record<string, PageParts>> = {
    accounts: accountsOf(
      [
        { account, known: { ...known, archive, leading, periods: overview.periods } },
        { account: texts("desk-1"), known: { ...known, archive: { ...archive, coverage: [] }, jobs: [running] } },
        { account: texts("desk-2"), known: null },
      ],
      { cannotAsk: obstacle },
    ),
    "accounts-new": accountsOf([{ account, known }]),
    "accounts-reading": accountsOf([
      { account, known: { ...known, archive: { ...unread, fills: 3200 }, jobs: [reading] } },
    ]),
    "accounts-of-many": accountsOf([{ account, known: null }]),
    overview: overviewPage(overview),
    "overview-new": overviewPage({
      ...overview,
      role: "accountant",
      archive: unread,
      packs: { lines: [], gone: [], left: 0 },
      leading: null,
      periods: [],
      jobs: [],
    }),
    "overview-reading": overviewPage({ ...overview, archive: { ...unread, fills: 3200 }, jobs: [reading] }),
    make: makeForm(),
    "make-of-nothing": makeForm({ archive: unread, cannotAsk: obstacle }),
    "make-refused": makeForm({
      refused: {
        fields: new URLSearchParams({ period: "uk-2024-25", zone: texts("Europa/London"), method: "fifo" }),
        problem: { message: texts('not a time zone: "Europa/London"'), hint: texts("type an IANA name") },
        field: "zone",
      },
    }),
    "make-without-files": makeForm({
      refused: {
        fields: new URLSearchParams({ period: "uk-2024-25", currency: texts("EUR") }),
        problem: { message: texts("the newest pack of this period was made with marks.csv") },
        field: "without",
      },
    }),
    "overview-of-many": overviewPage({
      ...overview,
      packs: {
        lines,
        gone: [{ period: texts("us-2023"), latestGone: texts("0011223344556677") }],
        left: 35,
      },
      leading: null,
    }),
    pack: packPage(packView(pack)),
    "pack-current-gone": packPage(packView({ ...old, latestGone: texts("0011223344556677") })),
    "pack-restated": packPage(packView(old, [laterPoint(texts)])),
    "pack-of-many": packPage({ ...packView(old), others: packView(old).others.slice(1) }),
    "pack-incomplete": packPage(packView(incomplete)),
    "job-running": jobPage({ job: running, role: "operator" }),
    ...Object.fromEntries(
      Object.entries({ "job-stopping": reading, "job-done": done, "job-failed": failed }).map(([name, job]) => [
        name,
        jobPage({ job, role: "operator" }),
      ]),
    ),
    history: historyPage({ account, records, older: null, isOlder: false }),
    "history-of-many": historyPage({ account, records, older: texts("20260203T110500.000Z-a"), isOlder: true }),
    files: inputsPage(files),
    "files-unreadable": inputsPage({
      ...files,
      inputs: [
        ...files.inputs,
        { ...line, name: texts("marks (1).csv"), stamp: null, understood: null, problem: linked, isUsable: false },
      ],
      done: null,
    }),
    "files-refused": inputsPage({
      ...files,
      done: null,
      refused: {
        field: "file",
        problem: {
          message: texts('funding.csv, line 3: amount is "1,5", which is not a decimal number'),
          hint: texts("write it like -1234.5"),
        },
        fields: new URLSearchParams({ kind: "funding", zone: texts("Europe/London") }),
      },
    }),
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
    "signed-out-here": signedOutHerePage(),
    problem: problemPage(account, {
      message: texts('not a time zone: "Europa/London"'),
      hint: texts("type an IANA name such as Europe/London or UTC"),
    }),
  };
  const visitor = { user: { name: texts("ada") } };
  return Object.entries(pages).map(([name, page]) => ({
    name,
    page: documentOf(page, STRANGERS.includes(name) ? null : visitor),
  }));
}
