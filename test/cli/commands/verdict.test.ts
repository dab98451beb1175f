import { beforeAll, describe, expect, test } from "vitest";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import type { PagePorts } from "../../../lambda/web/ports.ts";
import { makeHistory } from "../../emulator/history.ts";
import { MARCH, OF_MARCH, packText } from "../../support/exports.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { fakePorts, testedSite } from "../../web/site/fake-site.ts";
import { readable } from "../../web/site/uploads.ts";
import { over, run } from "./run.ts";

// A pack whose cash differs, with a market whose PnL is not known, is shown by the terminal, the page and the pack's
// own files. All say the same of it, each point with its reason and its remedy.

const HISTORY = makeHistory({ seed: 1, fills: 40, from: MARCH.from, to: MARCH.to, ties: 0 });
const FIRST = HISTORY.item(0);
const INPUTS = {
  "opening-positions.csv": `market,quantity,average_price,as_of,evidence\n${FIRST.market},${FIRST.orderType === "buy" ? -999 : 999},,2025-03-01T00:00:00Z,x\n*,0,,2025-03-01T00:00:00Z,x\n`,
  "balances.csv":
    "time,currency,amount,note\n2025-03-01,USDT,0,x\n2025-04-01,USDT,987654,x\n2025-03-01,USD,0,x\n2025-04-01,USD,987654,x\n",
};

interface Point {
  readonly about: string;
  readonly text: string;
  readonly remedy?: string;
}

let now = Date.UTC(2026, 0, 1);
const store = memoryStore("shelf", () => now);
const { job } = makeBench({ history: HISTORY, job: { store } });
const components = over(store, job.clock);
const ports: PagePorts = {
  ...fakePorts(),
  accounts: () => Promise.resolve(["main"]),
  storesOf: (account) => ({ account, store, packs: store }),
  now: () => now,
};

let made: { readonly dir: string; readonly verdict: { readonly claim: string; readonly points: readonly Point[] } };
let terminal: string;
beforeAll(async () => {
  for (const [name, text] of Object.entries(INPUTS)) {
    store.put(`main/inputs/${name}`, Buffer.from(text));
  }
  expect(await exportPack(job, OF_MARCH)).toMatchObject({ complete: true });
  const line = ["export", "--period", MARCH.name, "--method", "fifo"];
  const said = await run([...line, "--json"], { components });
  expect(said.code).toBe(0);
  made = JSON.parse(said.stdout);
  const { stdout, stderr } = await run(line, { components });
  terminal = stdout + stderr;
});

async function listed() {
  const { packs } = JSON.parse((await run(["packs", "--json"], { components })).stdout);
  const people = (await run(["packs"], { components })).stdout;
  return { ...packs[0], people };
}

const screens = () => ["/", "/a/main", `/a/main/p/${MARCH.name}/${made.dir.split("/").at(-1)}`];

const grave = (points: readonly Point[]) => points.filter(({ about }) => about !== "note");

describe("a pack whose cash differs", () => {
  test("says so in its claim, and names the market whose PnL is not known", () => {
    const { claim, points } = made.verdict;
    expect(claim).toMatch(/^Records complete; cash differs in USDT?.*; PnL (?:partly )?missing for 1 of \d+ markets$/);
    const subjects = new Set(grave(points).map(({ about }) => about));
    expect(subjects).toEqual(new Set(["cash", "pnl"]));
    expect(points.find(({ about }) => about === "pnl")?.text).toContain(`${FIRST.market}: PnL of `);
  });

  test("says the same in completeness.json, in the report, where it was made and in the list of the terminal", async () => {
    expect(JSON.parse(await packText(store, made.dir, "completeness.json")).verdict).toEqual(made.verdict);
    const report = readable(await packText(store, made.dir, "report.html"));
    const { verdict, people } = await listed();
    expect(verdict).toEqual(made.verdict);
    for (const shown of [report, terminal, people]) {
      expect(shown).toContain(made.verdict.claim);
      for (const { text, remedy } of grave(made.verdict.points)) {
        expect(shown).toContain(`${text} ${remedy}`);
      }
    }
  });

  test("says the same on every screen of the page, and none calls it complete", async () => {
    for (const target of screens()) {
      const { status, body } = await testedSite(ports).ask(target);
      const text = readable(body);
      expect([target, status]).toEqual([target, 200]);
      expect(text).toContain(made.verdict.claim);
      for (const { text: reason, remedy } of grave(made.verdict.points)) {
        expect(text).toContain(`${reason} ${remedy}`);
      }
      expect(text).not.toMatch(/✓ complete/i);
      expect(text).not.toContain(`✓ ${made.verdict.claim}`);
    }
  });
});

test("files that changed after it was made, and fills that came late, are further points of the same list everywhere", async () => {
  now += 60_000;
  store.put("main/inputs/balances.csv", Buffer.from(INPUTS["balances.csv"].replaceAll("987654", "3")));
  store.put("main/inputs/funding.csv", Buffer.from("time,market,amount,currency,source\n"));
  const { verdict, people } = await listed();
  const [added, ...others]: Point[] = verdict.points.filter(({ about }: Point) => about === "files");
  expect(others).toEqual([]);
  expect(added?.text).toBe("It was made without the present balances.csv, funding.csv.");
  expect(added?.remedy).toMatch(/^Make it again/);
  expect(verdict.claim).toBe(`${made.verdict.claim}; made with other files`);
  expect(verdict.points.filter((point: Point) => point !== added)).toEqual(made.verdict.points);
  for (const shown of [people, ...(await Promise.all(screens().map((target) => testedSite(ports).ask(target))))]) {
    const text = typeof shown === "string" ? shown : readable(shown.body);
    expect(text).toContain(verdict.claim);
    expect(text).toContain(`${added?.text} ${added?.remedy}`);
  }
});
