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

  test("shows the newest 25 periods, and all if they are asked for, newest first", async () => {
    const few = await listed("");
    expect(few).toEqual(NAMES.slice(0, 25));
    expect((await ask("/a/main")).body).toContain(
      `<a href="/a/main?all=1#packs">${NAMES.length - 25} older periods</a>`,
    );
    expect(await listed("?all=1")).toEqual(NAMES);
  });
});

test("an account's newest pack is shown on the first page also while the pack of a newer period is being written", async () => {
  const ports = fakePorts();
  ports.store.put(`main/packs/month-2026-01/${VERSION}/fills.csv`, Buffer.from("x"));
  const { body } = await testedSite(ports).ask("/");
  expect(body).toContain(`<a href="/a/main/p/us-2025/${VERSION}">`);
  expect(body).not.toContain("No pack was made yet");
});
