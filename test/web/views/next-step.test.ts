import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../lambda/core/time.ts";
import type { ArchiveView } from "../../../lambda/web/data/archives.ts";
import { accountsPage, type KnownAccount } from "../../../lambda/web/views/accounts.ts";
import { jobPage } from "../../../lambda/web/views/jobs.ts";
import { type Overview, overviewPage } from "../../../lambda/web/views/overview.ts";
import { packPage } from "../../../lambda/web/views/pack.ts";
import { pagingOf } from "../../../lambda/web/views/paging.ts";
import { frameOf, jobOf, packOf, packsOf, samplesOf } from "./samples.ts";

const NOW = Date.UTC(2026, 10, 26, 8);
const OBSTACLE = { message: "there is no token", hint: "start it again with one" };
const READING = jobOf({ request: { account: "main", kind: "sync" }, covered: 0.12, note: "3,200 fills read so far." });

function archiveTo(to: number | null, changes: Partial<ArchiveView> = {}): ArchiveView {
  return {
    account: "main",
    coverage: to === null ? [] : [{ from: Date.UTC(2024, 0, 1), to }],
    fills: to === null ? 0 : 3200,
    seq: 0,
    firstTrade: null,
    lastRun: null,
    busy: false,
    assumptions: { assumed: 0, isUndated: false },
    missingBefore: null,
    maxSkewMs: 0,
    restatements: async () => [],
    ...changes,
  };
}

function overviewWith(changes: Partial<Overview>): string {
  const packs = { packs: packsOf(1), gone: [], find: "", paging: pagingOf(2, 25, null) };
  return overviewPage(frameOf(), {
    archive: archiveTo(NOW - DAY_MS),
    role: "operator",
    packs,
    inputs: [],
    unusable: [],
    leading: null,
    since: null,
    periods: [],
    jobs: [],
    checks: { files: null, rewalk: null },
    cannotAsk: null,
    now: NOW,
    ...changes,
  });
}

const NO_PACKS = { packs: [], gone: [], find: "", paging: pagingOf(0, 25, null) };

function accountsWith(changes: Partial<KnownAccount>): string {
  const packs = { leading: null, periods: [] };
  const known = { archive: archiveTo(null), packs, role: "operator", cannotAsk: null, running: [] } as const;
  const line = { account: "main", known: { ...known, ...changes } };
  return accountsPage(frameOf(), {
    find: "",
    paging: pagingOf(1, 25, null),
    accounts: [line],
    cannotAsk: line.known.cannotAsk,
    now: NOW,
  });
}

/** The names of the main actions of a page. */
function primaryOf(page: string): readonly string[] {
  return [...page.matchAll(/class="(?:button )?primary"[^>]*>(?<name>.*?)<\/(?:a|button)>/g)].map(({ groups }) =>
    (groups?.["name"] ?? "").replace(/<span class="hidden">.*/, ""),
  );
}

/** The box with the state of the archive. */
function stateIn(page: string): string {
  return /<div class="notice [\s\S]*?<\/div>/.exec(page)?.[0] ?? "";
}

describe("what to do next is in the box that says how the archive is", () => {
  test("to an operator whose archive is behind: read new fills, and that is the page's main action", () => {
    const page = overviewWith({ archive: archiveTo(Date.UTC(2026, 0, 2, 5)) });
    expect(stateIn(page)).toMatch(/No fills read since 2 Jan 2026 \(328 days\)[\s\S]*>Read new fills<\/button>/);
    expect(primaryOf(page)).toEqual(["Read new fills"]);
  });

  test("to one whose archive is up to date, and to an accountant: make the pack of the last tax year", () => {
    const page = overviewWith({});
    expect(stateIn(page)).toContain('<button class="secondary" type="submit">Read new fills</button>');
    expect(primaryOf(page)).toEqual(["Make US tax year 2025"]);
    const read = overviewWith({ role: "accountant", archive: archiveTo(Date.UTC(2026, 0, 2)) });
    expect(read).not.toContain("Read new fills");
    expect(primaryOf(read)).toEqual(["Make US tax year 2025"]);
  });

  test("no page has two main actions", () => {
    for (const { name, page } of samplesOf().filter((one) => !one.name.startsWith("make"))) {
      expect([name, primaryOf(page).length]).toEqual([name, Math.min(1, primaryOf(page).length)]);
    }
  });
});

describe("while a first read runs", () => {
  const archive = archiveTo(null, { fills: 3200, busy: true });

  test.each<[string, string]>([
    ["the accounts", accountsWith({ archive, running: [READING] })],
    ["the account", overviewWith({ archive, jobs: [READING], packs: NO_PACKS })],
    ["the account with packs", overviewWith({ archive, jobs: [READING] })],
  ])("%s show the job and its progress, deny nothing, and offer no other read", (_, page) => {
    expect(page).toContain(`href="/a/main/jobs/${READING.id}"`);
    expect(page).toContain("running, 12 %");
    expect(page).toContain("3,200 fills read so far.");
    expect(page).not.toMatch(/Nothing was read yet|No job was started/);
    expect(page).not.toContain(">Read new fills</button>");
  });
});

describe("an empty store", () => {
  test("shows the three steps on its first page, and one thing to do", () => {
    const page = accountsWith({});
    expect(page.match(/<li[^>]*><h3>/g)).toHaveLength(3);
    expect(page).toContain('href="/a/main"');
    expect(primaryOf(page)).toEqual(["Read new fills"]);
  });

  test("without a token says what is missing once, and speaks of no archive", () => {
    for (const page of [
      accountsWith({ cannotAsk: OBSTACLE }),
      overviewWith({ archive: archiveTo(null), packs: NO_PACKS, cannotAsk: OBSTACLE }),
    ]) {
      expect(page.match(/There is no token/g)).toHaveLength(1);
      expect(page).not.toContain("from the archive only");
      expect(page).toContain('type="submit" disabled>Read new fills</button>');
    }
  });

  test("has no headings over nothing", () => {
    expect(overviewWith({})).not.toContain("Recent jobs");
  });
});

describe("a job", () => {
  const view = { role: "operator", reached: null } as const;

  test("of days is titled as their pack is: to the last day", () => {
    const request = { account: "main", kind: "export", from: "2026-02-01", to: "2026-02-06" } as const;
    const page = jobPage(frameOf(), { ...view, job: jobOf({ request }) });
    expect(page).toContain("<h1>Pack: 1 Feb 2026 – 5 Feb 2026</h1>");
  });

  test("that was asked to stop says so, and is not asked twice", () => {
    const page = jobPage(frameOf(), { ...view, job: jobOf({ stopping: true }) });
    expect(page).toContain('<button class="secondary" type="submit" disabled>Stopping…</button>');
  });

  test("leads to the files where its end is about one of them", () => {
    const note = "The method specific needs matches.csv, and there is none.";
    expect(jobPage(frameOf(), { ...view, job: jobOf({ state: "failed", note }) })).toContain(
      'href="/a/main/files">Your files</a>',
    );
    expect(jobPage(frameOf(), { ...view, job: jobOf({ state: "failed" }) })).not.toContain("Your files");
  });
});

test("a pack says beneath “Complete” how its files were last checked, and lists no other versions where it has none", () => {
  const files = { kind: "files", period: null, checkedAt: NOW, seq: 1, ok: true, checked: 9, findings: 0 } as const;
  const page = packPage(frameOf(), {
    account: "main",
    pack: packOf(),
    figures: null,
    checks: { files, rewalk: null },
    restatementsSince: 0,
    newest: null,
    others: [],
    paging: pagingOf(0, 25, null),
  });
  expect(stateIn(page)).toContain("Files checked on");
  expect(page).not.toContain("Other versions");
});

test("pages below an account mark its tab, and the account's own page is the current one", () => {
  const pages = new Map(samplesOf().map(({ name, page }) => [name, page]));
  for (const name of ["pack", "job-running", "compare", "compare-choice"]) {
    expect([name, pages.get(name)]).toEqual([name, expect.stringContaining('href="/a/main" aria-current="true"')]);
  }
  expect(pages.get("overview")).toContain('href="/a/main" aria-current="page"');
});
