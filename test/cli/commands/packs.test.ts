import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { exportGroup } from "../../../lambda/job/export-group.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { makeHistory } from "../../emulator/history.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { exportRequest, OF_MARCH, packText } from "../../support/exports.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { completeness, latestText, writeByHand } from "../../web/data/hand-written.ts";
import { over, run } from "./run.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const { job } = makeBench({ history: makeHistory({ seed: 6, fills: 300, ...YEAR }) });
const { store } = job;
const on = (place: Store) => ({ components: over(place) });

beforeAll(async () => {
  for (const name of ["month-2025-03", "month-2025-04"]) {
    expect(await exportPack(job, exportRequest(parsePeriod(name)))).toMatchObject({ complete: true });
  }
});

describe("fillbook packs", () => {
  test("lists each pack with its place and the fills and net PnL of its summary.csv", async () => {
    const { code, stdout } = await run(["packs", "--json"], on(store));
    expect(code).toBe(0);
    const { packs } = JSON.parse(stdout);
    expect(packs.map(({ period }: { period: string }) => period)).toEqual(["month-2025-03", "month-2025-04"]);
    for (const { dir, fills, net, complete } of packs) {
      const text = (name: string) => packText(store, dir, name);
      expect((await text("fills.csv")).trim().split("\r\n")).toHaveLength(fills + 1);
      const [header = "", ...rows] = (await text("summary.csv")).trim().split("\r\n");
      const at = header.split(",").indexOf("realised_pnl_net_of_fees_excl_funding");
      expect(at).toBeGreaterThan(0);
      const figures = rows.map((row) => Number(row.split(",")[at]));
      expect(net.map(({ amount }: { amount: string }) => Number(amount))).toEqual(
        figures.map((figure) => expect.closeTo(figure, 1)),
      );
      expect(complete).toBe(true);
    }
  });

  test("tells if the version that latest.json names is gone, and what to do", async () => {
    const written = await byHand();
    written.put("main/packs/month-2025-03/latest.json", latestText("fedcba9876543210"));
    const own = on(written);
    const { stdout } = await run(["packs"], own);
    expect(stdout).toContain(
      "main month-2025-03: Records complete; PnL calculated for 1 market; stale\n  latest.json does not name this version as the current one of its period. Use the version that it names; if that is missing, make the pack again.\n",
    );
    const { packs } = JSON.parse((await run(["packs", "--json"], own)).stdout);
    expect(packs).toMatchObject([{ version: "0123456789abcdef", latest: false }]);
  });

  test("with --all tells the versions of a period apart by how they were made", async () => {
    const twice = { ...job, store: memoryStore() };
    await exportPack(twice, OF_MARCH);
    await exportPack(twice, { ...OF_MARCH, method: "fifo" });
    const own = on(twice.store);
    const rows = async (...flags: string[]) => {
      const { stdout } = await run(["packs", ...flags], own);
      expect(stdout).not.toContain("stale"); // an older version is simply older
      return stdout.split("\n").filter((line) => line.startsWith("main  "));
    };
    expect((await rows("--all")).map((row) => row.split(/ {2,}/).at(-1))).toEqual(["fifo", "average"]);
    expect(await rows()).toEqual([expect.stringMatching(/ excl. funding$/)]);
  });

  test("says that a net PnL is not known, or a partial total", async () => {
    const net = { funding: "excluded", partial: true };
    const nets = ["1234.5", null].map((amount, at) => ({ currency: ["USD", "USDT"][at], amount, ...net }));
    const accounts = { report_currency: null, inputs: [], net_realised_pnl: nets };
    const { stdout } = await run(["packs"], on(await byHand({ accounts })));
    expect(stdout).toContain("1,234.50 USD (partial total), USDT not known, excl. funding\n");
  });

  test("says how to make a pack if the store has none", async () => {
    const empty = makeBench({ history: makeHistory({ seed: 1, fills: 1, ...YEAR }) }).job.store;
    const { code, stdout, stderr } = await run(["packs"], on(empty));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^There is no pack in .*\. To make one: fillbook export --period us-2025\n$/);
    expect(stderr).toBe("");
  });

  test("lists a pack of several accounts under the name that open accepts", async () => {
    const { store: shared } = await madeTogether();
    const of = on(shared);
    const listed = await run(["packs", "--account", "hedge_main"], of);
    expect(listed.stdout).toMatch(/^hedge_main +month-2025-03 +1970-01-01 +[1-9]\d* .* excl. funding$/m);
    expect(listed.stderr).toBe(
      "Next: fillbook open month-2025-03 --account hedge_main\n  opens the report in the browser\n",
    );
  });
});

describe("fillbook open", () => {
  const folder = temporaryFolder();

  test("prints the path of the newest pack's report, which must exist", async () => {
    const inFolder: Store = Object.create(store, { location: { value: folder } });
    const local = on(inFolder);
    const { packs } = JSON.parse((await run(["packs", "--json"], local)).stdout);
    const path = join(packs[0].dir, "report.html");
    const missing = { code: 5, stderr: expect.stringContaining(`${path} is missing`) };
    expect(await run(["open", "month-2025-03"], local)).toMatchObject(missing);
    mkdirSync(packs[0].dir, { recursive: true });
    writeFileSync(path, "<html></html>");
    const { code, stdout } = await run(["open", "month-2025-03", "--json"], local);
    expect([code, JSON.parse(stdout)]).toEqual([0, { path, url: pathToFileURL(path).href }]);
  });

  test("copies the report of a pack on S3 into a private folder", async () => {
    const { store: shared } = await madeTogether();
    const onS3: Store = Object.create(shared, { location: { value: "s3://bucket/books" } });
    const { stdout } = await run(["open", "month-2025-03", "--account", "hedge_main", "--json"], on(onS3));
    const { path } = JSON.parse(stdout);
    expect(readFileSync(path, "utf8")).toContain("hedge");
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    rmSync(dirname(path), { recursive: true });
  });

  test.each([
    [
      "month-2025-05",
      "there is no pack of month-2025-05 for account main in ",
      "existing packs: month-2025-03, month-2025-04. To make this one: fillbook export --period month-2025-05",
    ],
    ["month-2025-05 --account hedge_main", "account hedge_main in ", "export --account hedge --account main --period"],
    ["us-2025 --account main__hedge", "--account", "an account name has 1 to 32"],
    [`us-2025 --account ${"abc_".repeat(25)}d`, "names a group that is too long", ""],
    [
      "us-2025 --account b --account a",
      "for account a_b in",
      "make it with: fillbook export --account b --account a --period us",
    ],
  ])("open %s is refused, and the message says what to do", async (line, message, hint) => {
    const { code, stderr } = await run(["open", ...line.split(" ")], on(store));
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });
});

/** A store with one pack of March that was written by hand. */
async function byHand(claim = {}) {
  const written = memoryStore();
  const files = { "completeness.json": completeness("month-2025-03", claim) };
  await writeByHand(written, { period: "month-2025-03", version: "0123456789abcdef", files });
  written.put("main/head.json", Buffer.from("{}"));
  return written;
}

/** A store with a pack of two accounts. */
async function madeTogether() {
  const shared = memoryStore();
  const jobOf = (account: string) => {
    const history = makeHistory({ seed: account.length, fills: 40, ...YEAR });
    return Promise.resolve(makeBench({ history, job: { account, store: shared } }).job);
  };
  const group = { name: "hedge_main", accounts: ["hedge", "main"] };
  expect(await exportGroup(group, jobOf, OF_MARCH)).toMatchObject({ complete: true });
  return { store: shared };
}
