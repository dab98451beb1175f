import { beforeAll, describe, expect, test } from "vitest";
import { type LargeAccount, largeAccount } from "../../support/large-account.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { REQUEST_MS, slowSite } from "./slow-site.ts";

// Ten years with 5,000 gaps, 600 commits of late fills, 3,000 downloads and a thousand packs. Each request
// takes 30 ms on the virtual clock.

const siteOf = (account: LargeAccount) => slowSite(account, new VirtualClock(0));
const version = (number: number) => number.toString(16).padStart(16, "0");

/** Names of the periods whose packs a page lists, in order. */
function listedIn(page: string): string[] {
  return [...page.matchAll(/ data-period="(?<name>[^"]+)"/g)].map(({ groups }) => groups?.["name"] ?? "");
}

describe.each([
  // Requests and rounds of the overview. They include the index of restatements and the newest pack's totals.
  // With 100 versions, a period's keys fill five pages. latest.json is read of each shown period: otherwise a
  // version that is left could be shown as the current one. With one version a period, these are 24 small
  // reads beside the leading period's (68 + 24), all at once, so there are no more rounds.
  { periods: 1000, versions: 1, overview: [92, 7] },
  { periods: 125, versions: 8, overview: [93, 8] },
  { periods: 10, versions: 100, overview: [92, 13] },
])("$periods periods in $versions versions", ({ periods, versions, overview: [mostRequests, mostRounds] }) => {
  let account: LargeAccount;
  let site: ReturnType<typeof slowSite>;
  const newest = version(versions - 1);

  beforeAll(async () => {
    account = await largeAccount({ periods, versions, gaps: 5000, downloads: 3000 });
    site = siteOf(account);
  });

  test.each<[string, string, number, number]>([
    ["the overview", "/a/main", mostRequests ?? 0, mostRounds ?? 0],
    ["its last page", "/a/main?page=999", mostRequests ?? 0, mostRounds ?? 0],
    ["a search", "/a/main?find=2019", mostRequests ?? 0, mostRounds ?? 0],
    ["a pack", `/a/main/p/us-2025/${newest}`, 22, 13],
    ["the form of a pack", "/a/main/make", 6, 5],
    ["the user's files", "/a/main/files", 12, 10],
    ["a comparison", `/a/main/p/us-2025/compare?before=${version(0)}&after=${newest}`, 26, 13],
    ["the history", "/a/main/history", 108, 9],
    ["older history", "/a/main/history?before=20240301T000000.000Z-id", 108, 9],
  ])("%s: within the limits of requests, rounds and bytes", async (_, target, requests, rounds) => {
    const asked = await site.ask(target);
    expect(asked.status).toBe(200);
    expect(asked.requests).toBeLessThanOrEqual(requests);
    expect(asked.ms).toBeLessThanOrEqual(rounds * REQUEST_MS);
    expect(Buffer.byteLength(asked.page)).toBeLessThan(100_000);
    // The packs' keys and the archive are listed beside the 32 parallel requests.
    expect(site.mostAtOnce()).toBeLessThanOrEqual(34);
  });

  test("every period is on one page of the list, and every version on one page of its packs", async () => {
    const pages: string[] = [];
    for (let page = 1; page <= Math.ceil(periods / 25); page += 1) {
      pages.push((await site.ask(`/a/main?page=${page}`)).page);
    }
    expect(pages.map((page) => listedIn(page).length)).toEqual(pages.map((_, at) => Math.min(25, periods - at * 25)));
    expect(pages.flatMap(listedIn).toSorted()).toEqual(account.periods.toSorted());
    expect(pages.map((page) => page.includes("Older periods"))).toEqual(pages.map((_, at) => at < pages.length - 1));
    const shown = new Set<string>([newest]);
    for (let page = 1; page <= Math.ceil((versions - 1) / 25); page += 1) {
      const { page: text } = await site.ask(`/a/main/p/us-2025/${newest}?page=${page}`);
      for (const { groups } of text.matchAll(/href="\/a\/main\/p\/us-2025\/(?<name>[0-9a-f]{16})"/g)) {
        shown.add(groups?.["name"] ?? "");
      }
    }
    expect(shown.size).toBe(versions);
  });
});

describe("the query", () => {
  let site: ReturnType<typeof slowSite>;

  beforeAll(async () => {
    site = siteOf(await largeAccount({ periods: 130, versions: 2 }));
  });

  const listed = async (query: string) => listedIn((await site.ask(`/a/main${query}`)).page);

  test("with an invalid page shows the first, and beyond the end the last", async () => {
    const [first, last] = [await listed(""), await listed("?page=6")];
    expect([first.length, last.length]).toEqual([25, 5]);
    expect(first.slice(0, 3)).toEqual(["us-2025", "month-2025-12", "month-2025-11"]);
    expect(last).toEqual(["05", "04", "03", "02", "01"].map((month) => `month-2016-${month}`));
    for (const page of ["0", "-1", "1.5", "01", "x", "", "1e1", "__proto__", "%00", "²"]) {
      expect(await listed(`?page=${page}`), page).toEqual(first);
    }
    for (const page of ["7", "999999999"]) {
      expect(await listed(`?page=${page}`), page).toEqual(last);
    }
    expect(await listed("?page=9999999999999999999")).toEqual(first);
  });

  test("finds by name and year, and treats any text of any length as text", async () => {
    expect(await listed("?find=US")).toEqual(Array.from({ length: 10 }, (_, at) => `us-${2025 - at}`));
    // By UTC, New York's year ends in the next year, but its name uses local days.
    expect(await listed("?find=+2019++")).toEqual([
      "us-2019",
      ...Array.from({ length: 12 }, (_, at) => `month-2019-${String(12 - at).padStart(2, "0")}`),
    ]);
    expect(await listed("?find=month&page=5")).toHaveLength(20);
    const { page } = await site.ask("/a/main?find=%3Cscript%3E%22x");
    expect(listedIn(page)).toEqual([]);
    expect(page).toContain('value="&lt;script&gt;&quot;x"');
    expect(page).toContain("No period has that name");
    const long = await site.ask(`/a/main?find=${"y".repeat(5000)}`);
    expect(long.page.includes("y".repeat(101))).toBe(false);
  });
});

test("each newest pack on the page shows the changes since, from objects that are read once", async () => {
  // The last five commits fall in the last days of December 2025.
  const site = siteOf(await largeAccount({ periods: 130, versions: 8 }));
  const { page } = await site.ask("/a/main");
  const rows = page.split(" data-period=").slice(1);
  const told = rows.filter((row) => row.includes("5 fills came late or changed since"));
  expect(told.map((row) => listedIn(` data-period=${row}`)[0])).toEqual(["us-2025", "month-2025-12"]);
  expect(page).not.toContain("cannot be told");
  expect(page.match(/came late or changed since/g)).toHaveLength(2);
});
