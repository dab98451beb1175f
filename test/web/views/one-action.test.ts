import { expect, test } from "vitest";
import { accountsPage } from "../../../lambda/web/views/accounts.ts";
import { pagingOf } from "../../../lambda/web/views/paging.ts";
import { frameOf, samplesOf } from "./samples.ts";

const INNERMOST = /<details(?<attributes>[^>]*)>(?<body>(?:(?!<details)[\s\S])*?)<\/details>/g;

/** Without what is folded at first. */
function shownOf(page: string): string {
  const less = page.replaceAll(INNERMOST, (_, attributes: string, body: string) =>
    attributes.includes(" open") ? body : "",
  );
  return less === page ? page : shownOf(less);
}

test.each(samplesOf().map(({ name, page }) => [name, page] as const))(
  "%s has one primary action at most",
  (_, page) => {
    expect(shownOf(page).match(/class="(?:button )?primary"/g)?.length ?? 0).toBeLessThanOrEqual(1);
  },
);

const NOW = Date.UTC(2026, 1, 3);
const coverage = [{ from: Date.UTC(2010, 0, 1), to: NOW }];

/** The actions of one account's card, with packs of these periods. */
function actionsOf(periods: readonly string[], changes: { readonly coverage?: typeof coverage } = {}): string {
  const archive = {
    account: "main",
    coverage,
    fills: 10,
    seq: 0,
    firstTrade: Date.UTC(2024, 2, 1),
    lastRun: null,
    busy: false,
    assumptions: { assumed: 0, isUndated: false },
    missingBefore: null,
    maxSkewMs: 0,
    restatements: null,
    ...changes,
  };
  const packs = { leading: null, periods };
  const known = { archive, packs, role: "operator", cannotAsk: null, running: [] } as const;
  const accounts = [{ account: "main", known }];
  const page = accountsPage(frameOf(), {
    find: "",
    paging: pagingOf(1, 25, null),
    accounts,
    cannotAsk: null,
    now: NOW,
  });
  return page.slice(page.indexOf('<div class="actions">'));
}

test.each<[readonly string[], string | null, string]>([
  [[], "us-2025", "Make US tax year 2025"],
  [["us-2025"], "us-2024", "Make US tax year 2024"],
  [["month-2026-01", "us-2025"], "us-2024", "Make US tax year 2024"],
  [["us-2025", "us-2024"], null, "Make a pack"],
  [["uk-2023-24"], "uk-2024-25", "Make UK tax year 2024/25"],
])("with packs of %j an account's card makes %s in one click", (periods, typed, label) => {
  const actions = actionsOf(periods);
  expect(/name="period" value="(?<typed>[^"]*)"/.exec(actions)?.groups?.["typed"] ?? null).toBe(typed);
  expect(actions).toMatch(new RegExp(`class="(?:button )?primary"[^>]*>${label}<`));
  expect(actions.includes("Other period")).toBe(typed !== null);
});

test("where nothing was read yet, or much of an older year is missing, no click starts hours of reading", () => {
  expect(actionsOf([], { coverage: [] })).not.toContain('name="period"');
  const last = [{ from: Date.UTC(2024, 11, 1), to: NOW }];
  expect(actionsOf(["us-2025"], { coverage: last })).not.toContain('name="period"');
});
