import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import { groupOf } from "../../lambda/job/export-group.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { squeezed, statementText } from "../pack/report/statement-text.ts";
import { groupBench, marchItem, OF_MARCH, packCells, packRows, packText, putAll } from "../support/exports.ts";
import { away } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

// Several accounts in one pack: each account's fills once, and totals that a second program calculates from
// them.

/** Both trade BTC-USDT: main gains 30 and pays 2 in fees, hedge loses 8 and pays 1. */
const MAIN = [
  marchItem("m1", 1, { orderType: "buy", quantity: "3", price: "100", fees: "1" }),
  marchItem("m2", 5, { orderType: "sell", quantity: "3", price: "110", fees: "1" }),
];
const HEDGE = [
  marchItem("h1", 2, { orderType: "sell", quantity: "2", price: "105", fees: "0.5" }),
  marchItem("h2", 4, { orderType: "buy", quantity: "2", price: "109", fees: "0.5" }),
  marchItem("h3", 6, { orderType: "buy", quantity: "1", price: "90", fees: "0", market: "ETH-USDT" }),
];

const NET = "realised_pnl_net_of_fees_excl_funding";

describe("two accounts in one pack", () => {
  test("hold each fill once, in one order; each account has its own totals, and all have one net", async () => {
    const both = groupBench({ main: MAIN, hedge: HEDGE });
    const result = await both.exported(OF_MARCH);
    expect(result).toMatchObject({ account: "hedge_main", complete: true, problem: null });
    const cells = (path: string, names: readonly string[]) => packCells(both.store, result.dir, path, names);
    expect(await cells("fills.csv", ["account", "match_id"])).toEqual([
      ["main", "m1"],
      ["hedge", "h1"],
      ["hedge", "h2"],
      ["main", "m2"],
      ["hedge", "h3"],
    ]);
    expect(await cells("summary.csv", ["account", "currency", "fills", "fees_paid", "gross_pnl", NET])).toEqual([
      ["hedge", "USDT", "3", "1", "-8", "-9"],
      ["main", "USDT", "2", "2", "30", "28"],
    ]);
    const net = { currency: "USDT", amount: "19", funding: "excluded", partial: false };
    expect(JSON.parse(await packText(both.store, result.dir, "completeness.json"))).toMatchObject({
      ...{ of: ["hedge", "main"], complete: true, gaps: [], totals: { fills: 5 } },
      accounts: { net_realised_pnl: [net], report_currency: null },
    });
    const report = await packText(both.store, result.dir, "report.html");
    expect(report).toContain("Trading statement: accounts hedge, main");
    expect(report).toContain("BTC-USDT (hedge)");
  });

  test("have the rows of the accounts' own packs, appended", async () => {
    const both = groupBench({ main: MAIN, hedge: HEDGE });
    const { dir } = await both.exported(OF_MARCH);
    const hedge = await exportPack(await both.jobOf("hedge"), OF_MARCH);
    const main = await exportPack(await both.jobOf("main"), OF_MARCH);
    for (const name of "realised-pnl closed-trades open-lots fees summary summary-months".split(" ")) {
      const rows = (of: string | null) => packRows(both.store, of, `${name}.csv`);
      expect(await rows(dir), name).toEqual([...(await rows(hedge.dir)), ...(await rows(main.dir))]);
    }
  });

  test("make no pack while one of them is incomplete; the message names it", async () => {
    const both = groupBench({ main: MAIN, hedge: HEDGE });
    const failing = async (account: string) => {
      const job = await both.jobOf(account);
      return account === "main" ? away(job, new FillbookError("incomplete", "the service is away")) : job;
    };
    const result = await both.exported(OF_MARCH, failing);
    expect(result).toMatchObject({ complete: false, dir: null, files: [] });
    expect(result.problem).toMatchObject({ kind: "incomplete", message: expect.stringMatching(/^main: /) });
    expect([...both.store.snapshot().keys()].filter((key) => key.startsWith("hedge_main/"))).toEqual([]);
    const marked = await both.exported({ ...OF_MARCH, allowIncomplete: true }, failing);
    expect(marked.dir).toMatch(/-INCOMPLETE$/);
    expect(marked.files.every(({ path }) => path.includes("INCOMPLETE-"))).toBe(true);
    expect(await packText(both.store, marked.dir, "INCOMPLETE-report.html")).toContain(
      "Do not file from this statement",
    );
  });
});

describe("the user's files of a group", () => {
  const HEADER = "time,currency,amount,note\n";
  const FILES = {
    "hedge_main/inputs/accounts.json": '{"statement": {"client": "A. Trader Ltd"}}',
    "hedge_main/inputs/marks.csv": "market,time,price\nETH-USDT,2025-04-01,95\n",
    "main/inputs/transfers.csv": `${HEADER}2025-03-03,USDT,-50,to hedge\n2025-03-20,USDT,-7,to the bank\n`,
    "hedge/inputs/transfers.csv": `${HEADER}2025-03-04,USDT,50,from main\n`,
    "main/inputs/balances.csv": `${HEADER}2025-03-01,USDT,1000,a\n2025-04-01,USDT,971,b\n`,
    "hedge/inputs/balances.csv": `${HEADER}2025-03-01,USDT,100,c\n2025-04-01,USDT,140,d\n`,
  };

  async function withFiles(more: Readonly<Record<string, string>> = {}) {
    const both = groupBench({ main: MAIN, hedge: HEDGE });
    await putAll(both.store, { ...FILES, ...more });
    return both;
  }

  test("make a proof of cash for each account; transfers between them are not deposits of the group", async () => {
    const both = await withFiles();
    const { dir } = await both.exported(OF_MARCH);
    expect(
      await packCells(both.store, dir, "transfers.csv", ["account", "amount", "between", "other_account"]),
    ).toEqual([
      ["main", "-50", "accounts", "hedge"],
      ["hedge", "50", "accounts", "main"],
      ["main", "-7", "outside", ""],
    ]);
    const names = ["account", "opening_cash", "transfers_between_accounts", "transfers", "difference", "result"];
    // main: 1000 + 30 − 2 − 50 − 7 = 971; hedge: 100 − 8 − 1 + 50 = 141, and its statement says 140.
    expect(await packCells(both.store, dir, "balance.csv", names)).toEqual([
      ["hedge", "100", "50", "50", "-1", "differs"],
      ["main", "1000", "-50", "-57", "0", "agrees"],
    ]);
  });

  test("warn of each account whose statements differ, also on the sheet to sign", async () => {
    const both = await withFiles();
    const { dir, notes } = await both.exported(OF_MARCH);
    expect(notes.filter((note) => note.startsWith("Cash"))).toEqual([
      expect.stringMatching(
        /^Cash in USDT of hedge differs by 1\.00 from balances\.csv: the statement for 2025-04-01 00:00 \(UTC\) says 140\.00, but 141\.00 is calculated /,
      ),
    ]);
    const statement = squeezed(statementText(await packText(both.store, dir, "report.html")));
    expect(statement).toContain(squeezed("Cash in USDT of hedge differs by 1.00 from balances.csv"));
    expect(statement).toContain(squeezed("(balances.csv): differ in USDT of hedge; agree in USDT of main."));
  });

  test("are named if nothing uses them", async () => {
    const unused = async (more: Readonly<Record<string, string>>) =>
      (await (await withFiles(more)).exported(OF_MARCH)).notes.filter((note) => note.includes("is not used"));
    const own = { "main/inputs/marks.csv": "market,time,price\n", "main/inputs/accounts.json": "{}" };
    expect(await unused({})).toEqual([]);
    expect(await unused(own)).toEqual([
      "main: its own accounts.json is not used in a pack of several accounts",
      "main: the shared marks.csv is not used, because it has its own",
    ]);
  });

  test("are refused if they belong to one account only", async () => {
    const both = await withFiles({ "hedge_main/inputs/funding.csv": "time,market,amount,currency\n" });
    await expect(both.exported(OF_MARCH)).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/funding\.csv is for one account, but lies among the files for all accounts$/),
    });
  });
});

describe("the accounts that are typed", () => {
  const store = (files: Readonly<Record<string, string>>) => async () => {
    const own = memoryStore();
    await putAll(own, files);
    return own;
  };

  test("are a group if there are several, in any order, each once", async () => {
    const group = { name: "hedge_main", accounts: ["hedge", "main"] };
    expect(await groupOf(["main", "hedge", "main"], {}, store({}))).toEqual(group);
    expect(await groupOf(["hedge", "main"], {}, store({}))).toEqual(group);
  });

  test("are one account, or a group if accounts.json of that name exists", async () => {
    expect(await groupOf(["main"], {}, store({}))).toBeNull();
    expect(await groupOf(["main"], {}, store({ "main/inputs/accounts.json": '{"par": {}}' }))).toBeNull();
    const named = store({ "family/inputs/accounts.json": '{"accounts": ["main", "hedge"]}' });
    expect(await groupOf(["family"], {}, named)).toEqual({ name: "family", accounts: ["hedge", "main"] });
  });

  test.each([
    ["main", '["main", "hedge"]', "accounts.json defines a group, but main is an account"],
    ["family", '["main"]', 'accounts.json: accounts is ["main"]'],
    ["family", '["main", "main"]', 'accounts.json: accounts is ["main","main"]'],
    ["family", '["main", "../hedge"]', 'accounts.json: accounts is ["main","../hedge"]'],
    ["family", '"main"', 'accounts.json: accounts is "main"'],
  ])("are refused as %s with %s", async (name, listed, message) => {
    const files = { [`${name}/inputs/accounts.json`]: `{"accounts": ${listed}}` };
    await expect(groupOf([name], {}, store(files))).rejects.toMatchObject({ kind: "usage", message });
  });

  test("are not a group if an export has one account, because a pack of that name would hold nothing", async () => {
    const { jobOf, store: held } = groupBench({});
    await held.createNew("family/inputs/accounts.json", Buffer.from('{"accounts": ["main", "hedge"]}'));
    await expect(exportPack(await jobOf("family"), OF_MARCH)).rejects.toMatchObject({
      kind: "usage",
      message: "memory/family/inputs/accounts.json defines a group of accounts, but this exports one account",
    });
  });
});
