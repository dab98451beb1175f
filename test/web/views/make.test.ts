import { describe, expect, test } from "vitest";
import { METHODS } from "../../../lambda/accounting/method.ts";
import { BEGINNING_MS } from "../../../lambda/core/beginning.ts";
import { type MakeView, makePage } from "../../../lambda/web/views/make.ts";
import { frameOf } from "./samples.ts";

const NOW = Date.UTC(2026, 10, 26, 1);
const READ = { from: BEGINNING_MS, to: Date.UTC(2026, 0, 2, 5) };
const OBSTACLE = { message: "there is no token", hint: "start it again with one" };

function pageWith(changes: Partial<MakeView> = {}): string {
  const archive = { coverage: [READ], firstTrade: Date.UTC(2025, 0, 2) };
  const view = {
    account: "main",
    archive,
    methods: METHODS,
    country: "uk",
    cannotAsk: null,
    refused: null,
    inputs: [],
    unusable: [],
    now: NOW,
  };
  return makePage(frameOf(), { ...view, ...changes });
}

/** For each year: its text, and whether it can be chosen or is chosen. */
function yearsIn(page: string): (readonly [string, string])[] {
  return [...page.matchAll(/<label class="choice"><input (?<input>[^>]*)>(?<text>.*?)<\/label>/g)].map(({ groups }) => {
    const state = /disabled|checked/.exec(groups?.["input"] ?? "")?.[0] ?? "free";
    return [
      (groups?.["text"] ?? "")
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
      state,
    ] as const;
  });
}

describe("the form of a pack", () => {
  test("names each tax year with its days and what the archive has of it; the newest finished one is chosen", () => {
    expect(yearsIn(pageWith())).toEqual([
      ["UK tax year 2026/27 6 Apr 2026 – 5 Apr 2027 not over", "disabled"],
      ["UK tax year 2025/26 6 Apr 2025 – 5 Apr 2026 needs 94 days", "checked"],
      ["UK tax year 2024/25 6 Apr 2024 – 5 Apr 2025 ✓ in the archive", "free"],
    ]);
  });

  test("without a token offers only what the archive has", () => {
    const page = pageWith({ cannotAsk: OBSTACLE });
    expect(yearsIn(page).map(([, state]) => state)).toEqual(["disabled", "disabled", "checked"]);
    expect(page).toMatch(/<option value="month-2026-01" disabled>January 2026: needs \d+ days</);
    expect(page).toMatch(/<option value="month-2025-12">December 2025: in the archive</);
    const empty = pageWith({ cannotAsk: OBSTACLE, archive: { coverage: [], firstTrade: null } });
    expect(empty).toContain("No pack can be made for these years yet.");
  });

  test.each([
    ["us", "Tax years of the United States"],
    ["de", "Tax years of Germany"],
    ["nl", "Tax years of the Netherlands"],
    ["calendar", "Calendar years"],
  ])("says whose years it shows: %s", (country, heading) => {
    expect(pageWith({ country })).toContain(`<legend>${heading}</legend>`);
  });

  test("makes nothing that cannot be made: without a token and an archive every button is off", () => {
    const buttonsOf = (page: string) => page.match(/<button class="primary" type="submit"(?: disabled)?>/g);
    const unread = pageWith({ cannotAsk: OBSTACLE, archive: { coverage: [], firstTrade: null } });
    expect(buttonsOf(unread)).toEqual(new Array(3).fill('<button class="primary" type="submit" disabled>'));
    expect(unread).not.toMatch(/from the archive only|are read first/);
    const kept = pageWith({ cannotAsk: OBSTACLE });
    expect(buttonsOf(kept)).toEqual(new Array(3).fill('<button class="primary" type="submit">'));
    expect(kept).toContain("This page makes packs from the archive only.");
    expect(kept).not.toContain("are read first");
    expect(pageWith()).toContain("are read first");
  });

  test("has one primary action in each of its parts, of which one is open", () => {
    const page = pageWith();
    const parts = page.split('<details name="make"').slice(1);
    expect(parts.map((part) => part.split('class="primary"').length - 1)).toEqual([1, 1, 1]);
    expect(page.match(/<details name="make" open>/g)).toHaveLength(1);
  });

  test.each<[string, string]>([
    ["period=uk-2024-25&zone=x", "tax"],
    ["period=month-2025-03", "month"],
    ["from=2025-03-01&last=2025-03-02", "days"],
  ])("shows the submitted values again: %s", (sent, form) => {
    const refused = { fields: new URLSearchParams(sent), problem: { message: "no" }, field: null, gone: null };
    const page = pageWith({ refused });
    const open = /<details name="make" open><summary>[\s\S]*?<form class="make"[\s\S]*?id="(?<form>\w+)-method"/.exec(
      page,
    );
    expect(open?.groups?.["form"]).toBe(form);
    expect(page).toContain("<bdi>No.</bdi>");
  });

  test("keeps the chosen year if a field is wrong", () => {
    const fields = new URLSearchParams({ period: "uk-2024-25", zone: "x" });
    const page = pageWith({ refused: { fields, problem: { message: "not a time zone" }, field: "zone", gone: null } });
    expect(yearsIn(page).map(([, state]) => state)).toEqual(["disabled", "free", "checked"]);
    expect(page).toContain('id="tax-zone-error"');
    expect(page).toContain("The field to change is marked.");
  });

  test("offers the methods by name; the one that needs a user's file comes last and says so", () => {
    const select = /<select id="tax-method"[^>]*>(?<options>.*?)<\/select>/.exec(pageWith())?.groups?.["options"] ?? "";
    const options = [...select.matchAll(/<option value="(?<value>\w*)">(?<text>[^<]*)/g)].map(({ groups }) => [
      groups?.["value"],
      groups?.["text"],
    ]);
    expect(options).toEqual([
      ["", "Not chosen (average cost)"],
      ["average", "Average cost"],
      ["fifo", "FIFO"],
      ["lifo", "LIFO"],
      ["hifo", "HIFO"],
      ["specific", "Specific identification (needs matches.csv)"],
    ]);
  });
});
