import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import { exportGroup } from "../../lambda/job/export-group.ts";
import type { ExportRequest } from "../../lambda/job/export-pack.ts";
import { verifyArchive } from "../../lambda/job/verify.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { temporaryFolder } from "../leftovers.ts";
import { groupBench, marchItem, OF_MARCH, packCells, packText, putAll } from "../support/exports.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";

// Accounts of a group that differ in their input files, or in what the service said of a fill.

let store: MemoryStore;

beforeEach(() => {
  store = memoryStore();
});

function exportOf(histories: Readonly<Record<string, readonly CompletedOrder[]>>, more: Partial<ExportRequest> = {}) {
  return groupBench(histories, store).exported({ ...OF_MARCH, ...more });
}

const put = (files: Readonly<Record<string, string>>) => putAll(store, files);
const completenessOf = async (dir: string | null): Promise<Record<string, unknown>> =>
  JSON.parse(await packText(store, dir, "completeness.json"));
const cells = (dir: string | null, path: string, names: readonly string[]) => packCells(store, dir, path, names);

/** main gains 30, hedge loses 8. */
const MAIN = [
  marchItem("m1", 1, { orderType: "buy", quantity: "3", price: "100" }),
  marchItem("m2", 5, { orderType: "sell", quantity: "3", price: "110" }),
  marchItem("m3", 6, { orderType: "buy", quantity: "1", price: "90", market: "ETH-USDT" }),
];
const HEDGE = [
  marchItem("h1", 2, { orderType: "sell", quantity: "2", price: "105" }),
  marchItem("h2", 4, { orderType: "buy", quantity: "2", price: "109" }),
  marchItem("h3", 6, { orderType: "sell", quantity: "1", price: "92", market: "ETH-USDT" }),
];

const FUNDING = "time,market,amount,currency,source\n2025-03-05,BTC-USDT,2,USDT,venue\n";

test("a table of accounts of which only one has prices or funding has the columns of both", async () => {
  await put({
    "hedge_main/inputs/rates/own.csv": "date,base,quote,rate,source\n2025,USDT,EUR,0.9,bank\n",
    "main/inputs/marks.csv": "market,time,price\nETH-USDT,2025-04-01,95\n",
    "hedge/inputs/funding.csv": FUNDING,
  });
  const { dir } = await exportOf({ main: MAIN, hedge: HEDGE }, { currency: "EUR" });
  const summary = ["account", "gross_pnl", "gross_pnl_converted", "funding", "funding_converted", "fifo_gross_pnl"];
  expect(await cells(dir, "summary.csv", summary)).toEqual([
    ["hedge", "-8", "-7.2", "2", "1.8", "-8"],
    ["main", "30", "27", "", "", "30"],
  ]);
  const positions = ["account", "open_value", "market_value", "report_currency", "status"];
  expect(await cells(dir, "open-positions.csv", positions)).toEqual([
    ["hedge", "-92", "", "EUR", "known"],
    ["main", "90", "95", "EUR", "known"],
  ]);
  // 30 and -8, at 0.9, and the payment of hedge; that of main is not known.
  const nets = [{ amount: "21.6", funding: "included", partial: true }];
  expect(await completenessOf(dir)).toMatchObject({ accounts: { net_realised_pnl: nets } });
  const text = (await packText(store, dir, "report.html")).replaceAll(/<[^>]+>/g, " ");
  expect(text).toMatch(/Net realised PnL, incl\. funding\s+\+21\.60\s+†/);
  expect(text).toContain("† Partial total: excludes what is not known or not given.");
});

test("accounts with different files of rates are refused: one of them would be converted at the other's", async () => {
  const rates = (day: string, rate: string) => `date,base,quote,rate,source\n${day},USDT,EUR,${rate},bank\n`;
  await put({
    "hedge_main/inputs/rates/shared.csv": rates("2025-03", "0.9"),
    "hedge/inputs/rates/own.csv": rates("2025-03-05", "0.8"),
  });
  await expect(exportOf({ main: MAIN, hedge: HEDGE }, { currency: "EUR" })).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringContaining("hedge and main have different files of rates"),
  });
});

test("a rate that is missing is to be put among the files for all accounts, and so is a par", async () => {
  const place = `${store.location}/hedge_main/inputs`;
  await expect(exportOf({ main: MAIN, hedge: HEDGE }, { currency: "EUR" })).rejects.toMatchObject({
    message: expect.stringContaining(`there is no rate file in ${place}/rates/`),
    hint: expect.stringMatching(new RegExp(`into the folder ${place}/rates/ .* into ${place}/accounts\\.json`)),
  });
});

test("funding is not known, and not 0, in a currency in which only accounts without funding.csv have traded", async () => {
  await put({ "hedge/inputs/funding.csv": FUNDING });
  const ofMain = MAIN.map((one) => ({ ...one, market: one.market.replace("USDT", "USD") }));
  const { dir } = await exportOf({ main: ofMain, hedge: HEDGE });
  const nets = [
    { currency: "USD", amount: null },
    { currency: "USDT", amount: "-6" }, // a loss of 8, and the payment of 2
  ];
  expect(await completenessOf(dir)).toMatchObject({ accounts: { net_realised_pnl: nets } });
  const text = (await packText(store, dir, "report.html")).replaceAll(/<[^>]+>/g, " ");
  expect(text).toContain("No funding.csv was given for main");
  expect(text).toMatch(/Settled in\s+USD\s*:[\s\S]*?Net realised PnL, incl\. funding\s+not known/);
});

test("completeness.json names the account whose fills are missing, as opening-positions.csv declares, and counts exceptions", async () => {
  await put({
    "hedge/inputs/opening-positions.csv":
      "market,quantity,average_price,as_of,evidence,break\nBTC-USDT,-1,90,2025-03-15,letter,2025-03-10\n",
  });
  const { dir } = await exportOf({ main: MAIN, hedge: HEDGE });
  expect(await completenessOf(dir)).toMatchObject({
    breaks: [
      {
        ...{ account: "hedge", market: "BTC-USDT", position: "-1", average_price: "90", evidence: "letter" },
        ...{ from: "2025-03-10T00:00:00.000Z", to: "2025-03-15T00:00:00.000Z" },
      },
    ],
    totals: { exceptions: (await cells(dir, "exceptions.csv", [])).length },
  });
});

describe("a fill in two archives", () => {
  const [first] = MAIN as [CompletedOrder];
  const twice = (name: string) => ({
    kind: "untrusted",
    message: `match ${name}, order ${name} is in the archives of hedge and main, so a pack of these accounts would count it twice`,
  });

  test.each([
    ["unchanged", {}],
    ["with two other times", { txCreated: first.txCreated + DAY_MS, filledAt: first.txCreated - 5000 }],
    ["with all else different", { txCreated: first.txCreated + DAY_MS, market: "ETH-USDT", price: "7" }],
  ])("is refused %s, for both time bases", async (_, changed) => {
    for (const basis of ["fill", "transaction"] as const) {
      const hedge = [...HEDGE, { ...first, ...changed }];
      await expect(exportOf({ main: MAIN, hedge }, { basis })).rejects.toMatchObject(twice("m1"));
    }
  });

  test("is refused before the period too, because positions come from it", async () => {
    const before = marchItem("old", -40, { orderType: "buy", quantity: "1", price: "80" });
    const histories = { main: [before, ...MAIN], hedge: [before, ...HEDGE] };
    await expect(exportOf(histories)).rejects.toMatchObject(twice("old"));
  });

  test("is not assumed if two orders share a match, as in a trade with oneself", async () => {
    const own = { ...first, orderId: "h9", orderType: "sell" };
    const { dir } = await exportOf({ main: MAIN, hedge: [...HEDGE, own] });
    expect((await cells(dir, "fills.csv", ["account", "match_id", "order_id"])).slice(0, 2)).toEqual([
      ["hedge", "m1", "h9"],
      ["main", "m1", "m1"],
    ]);
  });
});

test("the widest silence that was asked in any account is named", async () => {
  const { dir } = await exportOf({ main: MAIN, hedge: [] });
  const { assumed, assumptions } = await completenessOf(dir);
  expect(assumed).toEqual({ silence_days: 28, vanished_fills: 0 });
  expect(assumptions).toContainEqual(expect.stringContaining("28 days"));
});

test("an export is refused if its accounts are not those of accounts.json", async () => {
  await put({ "hedge_main/inputs/accounts.json": '{"accounts": ["main", "third"]}' });
  await expect(exportOf({ main: MAIN, hedge: HEDGE })).rejects.toMatchObject({
    kind: "usage",
    message: "accounts.json lists the accounts main, third, but hedge, main were given",
  });
});

describe("the input files of one account of a group", () => {
  test("are read before any account is walked, and a message about a mistake names the account", async () => {
    await put({ "main/inputs/transfers.csv": "time,currency,amount,note\n2025-03-01,USDT,many,x\n" });
    await expect(exportOf({ main: MAIN, hedge: HEDGE })).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^main: transfers\.csv, line 2: /),
    });
    expect([...store.snapshot().keys()]).toEqual(["main/inputs/transfers.csv"]);
  });

  test("cause a note in the pack if two accounts have rows in common, because a copied row counts twice", async () => {
    const header = "time,currency,amount,note\n";
    const opening =
      "market,quantity,average_price,as_of,evidence\nBTC-USDT,0,,2024-12-01,flat\nETH-USDT,5,90,2024-12-01,statement\n";
    const trade = "BTC-USDT,2025-03-20,sell,1,95,0,x\n";
    await put({
      // With other line breaks, a blank line, a row more, another order of columns, and the same number in other words.
      "main/inputs/transfers.csv": `${header}2025-03-01,USDT,100,x\n2025-03-02,USDT,50,x\n`,
      "hedge/inputs/transfers.csv":
        `${header}2025-03-02,USDT,50.0,x\n\n2025-03-01,USDT,100,x\n2025-03-03,USDT,7,x\n`.replaceAll("\n", "\r\n"),
      "main/inputs/adjustments.csv": `market,time,side,quantity,price,fee,note\n${trade}`,
      "hedge/inputs/adjustments.csv": `note,market,time,side,quantity,price,fee\nx,${trade.replace(",x", "")}`,
      // What counts nothing may be the same, as the beginnings of two accounts.
      "main/inputs/balances.csv": `${header}2025-03-01,USDT,0,opened\n`,
      "hedge/inputs/balances.csv": `${header}2025-03-01,USDT,0,opened\n`,
      "main/inputs/opening-positions.csv": opening,
      "hedge/inputs/opening-positions.csv": opening,
    });
    const { dir, notes } = await exportOf({ main: MAIN, hedge: HEDGE });
    const texts = [
      "opening-positions.csv: hedge and main have 1 row in common, and a row counts for each of them",
      "transfers.csv: hedge and main have 2 rows in common, and a row counts for each of them",
      "adjustments.csv: hedge and main have 1 row in common, and a row counts for each of them",
    ];
    expect(notes.filter((note) => note.includes("in common"))).toEqual(texts);
    const { assumptions } = await completenessOf(dir);
    expect(assumptions).toEqual(expect.arrayContaining(texts.map((text) => `${text}.`)));
  });
});

const GROUP = { name: "hedge_main", accounts: ["hedge", "main"] };

let root: string;

beforeEach(() => {
  root = temporaryFolder();
});

const jobOf = (account: string) => groupBench({}, store).jobOf(account);

test.each([
  ["a link that leads nowhere", (path: string) => symlink("/nowhere", path), "it does not exist"],
  ["a link to itself", (path: string) => symlink("main", path), "ELOOP"],
  ["a file", (path: string) => writeFile(path, ""), "ENOTDIR"],
])("an account's folder that is %s is not ignored", async (_, make, reason) => {
  await mkdir(join(root, "hedge"));
  await make(join(root, "main"));
  await expect(exportGroup(GROUP, jobOf, { ...OF_MARCH, inputsDir: root })).rejects.toMatchObject({
    kind: "usage",
    message: `main: cannot read ${join(root, "main")}: ${reason}`,
  });
  expect(store.snapshot().size).toBe(0);
});

test("nothing is copied if a file is in the way", async () => {
  const mine = join(root, "fills.csv");
  await writeFile(mine, "mine");
  const { dir, problem } = await exportGroup(GROUP, jobOf, { ...OF_MARCH, out: root });
  expect(dir).toMatch(/\/hedge_main\/packs\/month-2025-03\/[0-9a-f]{16}$/);
  expect(problem).toMatchObject({
    kind: "usage",
    message: `${mine} already exists with other content; the pack is in ${dir}; only the copy to ${root} was not made`,
  });
  expect(await readdir(root, { recursive: true })).toHaveLength(1);
});

test("verify of each account checks the packs of several accounts, too", async () => {
  await exportGroup(GROUP, jobOf, OF_MARCH);
  const [damaged = ""] = [...store.snapshot().keys()].filter((key) => key.endsWith("/fees.csv"));
  store.put(damaged, Buffer.from("account\r\n"));
  const { ok, findings } = await verifyArchive(await jobOf("main"), { rewalk: false, groups: true });
  expect({ ok, findings }).toEqual({ ok: false, findings: [expect.stringContaining(`${damaged} is damaged`)] });
});
