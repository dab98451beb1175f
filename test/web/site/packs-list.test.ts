import { expect, test } from "vitest";
import { completeness, packByHand } from "../data/hand-written.ts";
import { fakePorts, testedSite, VERSION } from "./fake-site.ts";

/** Newest first. */
const NAMES = [2025, 2024, 2023].flatMap((year) => [
  `us-${year}`,
  ...Array.from({ length: 12 }, (_, at) => `month-${year}-${String(12 - at).padStart(2, "0")}`),
]);

test("the newest 25 periods are shown, and all if they are asked for, newest first", async () => {
  const ports = fakePorts();
  for (const period of NAMES) {
    const files = { "completeness.json": completeness(period) };
    for (const [key, body] of packByHand({ period, version: VERSION, files })) {
      ports.store.put(key, body);
    }
  }
  const { ask } = testedSite(ports);
  const listed = async (query: string) =>
    [...(await ask(`/a/main${query}`)).body.matchAll(/ data-period="([^"]+)"/g)].map(([, name]) => name);
  expect(await listed("")).toEqual(NAMES.slice(0, 25));
  expect((await ask("/a/main")).body).toContain(`<a href="/a/main?all=1#packs">${NAMES.length - 25} older periods</a>`);
  expect(await listed("?all=1")).toEqual(NAMES);
});

test("an account's newest pack is shown on the first page also while the pack of a newer period is being written", async () => {
  const ports = fakePorts();
  ports.store.put(`main/packs/month-2026-01/${VERSION}/fills.csv`, Buffer.from("x"));
  const { body } = await testedSite(ports).ask("/");
  expect(body).toContain(`<a href="/a/main/p/us-2025/${VERSION}">`);
  expect(body).not.toContain("No pack was made yet");
});
