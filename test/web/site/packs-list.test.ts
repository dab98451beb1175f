import { describe, expect, test } from "vitest";
import { completeness, packByHand } from "../data/hand-written.ts";
import { fakePorts, testedSite, VERSION } from "./fake-site.ts";

const MONTHS = Array.from({ length: 12 }, (_, at) => String(12 - at).padStart(2, "0"));
const monthsOf = (year: number) => MONTHS.map((month) => `month-${year}-${month}`);
/** Newest first. */
const NAMES = [2025, 2024, 2023].flatMap((year) => [`us-${year}`, ...monthsOf(year)]);

function siteOfMany() {
  const ports = fakePorts();
  for (const key of [...ports.store.snapshot().keys()].filter((one) => one.startsWith("main/packs/"))) {
    ports.store.delete(key);
  }
  for (const period of NAMES) {
    const files = { "completeness.json": completeness(period) };
    for (const [key, body] of packByHand({ account: "main", period, version: VERSION, files })) {
      ports.store.put(key, body);
    }
  }
  return testedSite(ports);
}

describe("the list of packs", () => {
  const { ask } = siteOfMany();
  const listed = async (query: string) =>
    [...(await ask(`/a/main${query}`)).body.matchAll(/ data-period="([^"]+)"/g)].map(([, name]) => name);

  test("shows every period on one page, newest first; an invalid page is the first, and one beyond the end the last", async () => {
    const [first, last] = [await listed(""), await listed("?page=2")];
    expect([...first, ...last]).toEqual(NAMES);
    expect(first).toHaveLength(25);
    for (const page of ["0", "-1", "1.5", "01", "x", "", "1e1", "__proto__", "%00", "²", "9999999999999999999"]) {
      expect(await listed(`?page=${page}`), page).toEqual(first);
    }
    expect(await listed("?page=999999999")).toEqual(last);
  });
});
