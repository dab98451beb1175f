import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Fill, identityOf } from "../../../lambda/core/fill.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { inputsOf } from "../../../lambda/inputs/inputs.ts";
import { copyPack } from "../../../lambda/pack/make/copy.ts";
import { fileOf } from "../../inputs/make.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { arbitraryFill } from "../../support/arbitrary-fill.ts";
import { exportRequest, groupBench, plainItem, putAll } from "../../support/exports.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { installPython } from "../../support/python-tool.ts";
import { fillOn, MARCH, type PackOptions, packOf } from "../pack.ts";

// `frictionless validate datapackage.json`, of the program that goes with the standard, reads every file of a pack as
// its datapackage.json describes it, and has nothing to complain about.

const run = promisify(execFile);
const folder = temporaryFolder();
const installed = await installPython(join(import.meta.dirname, "frictionless-requirements.txt"));
const RATES = join(import.meta.dirname, "../../accounting/rates/fixtures");
const US = parsePeriod("us-2025");

/** Makes a pack in a folder. */
type Make = (out: string) => Promise<void>;

function packIn(fills: readonly Fill[], options: PackOptions = {}): Make {
  return async (out) => {
    const store = memoryStore();
    const { from, to } = options.period ?? MARCH;
    await copyPack(store, await packOf(store, fills, options, { from: from - 40 * DAY_MS, to }), out);
  };
}

/** A fill a day. */
const fillOf = (day: number, more: Partial<Fill>) => fillOn(day, { side: day % 3 === 1 ? "sell" : "buy", ...more });

/** With every file that a user may give. One of rates has more than one table, and lines of several lengths. */
function usual(): Make {
  const given = {
    "accounts.json": "{}",
    "adjustments.csv": "market,time,side,quantity,price,fee,note\nX-USD,2025-05-01T00:00:00Z,buy,1,0,0,renamed\n",
    "balances.csv": "time,currency,amount,note\n2025-03-01,USD,1e2,\n",
    "funding.csv": "time,market,amount,currency,source\r\n2025-03-05,BTC-USD,-1e-3,USD,\r\n",
    "marks.csv": "market,time,price\nBTC-USD,2025-12-31,61000\n\n",
    "opening-positions.csv": "market,quantity,average_price,as_of,evidence\nBTC-USD,1,5,2025-01-01,statement\n",
    "rates/own.csv": "date,base,quote,rate,source\n2025-03,USDT,USD,1.0001,average\n",
    "rates/valet.csv": readFileSync(join(RATES, "valet.csv"), "utf8"),
    "transfers.csv": 'time,currency,amount,note\n2025-03-02,USD,100,"two\nlines"\n',
  };
  const files = Object.entries(given).map(([name, text]) => fileOf(name, text));
  const fills = Array.from({ length: 31 }, (_, day) => fillOf(day, { market: day % 2 === 0 ? "BTC-USD" : "ETH-USDT" }));
  const inputs = inputsOf(files, "main/inputs", US.zone);
  return packIn(fills, { inputs, period: US, currency: "USD", method: "fifo" });
}

const ofAccounts: Make = async (out) => {
  const own = { orderType: "buy", quantity: "3", price: "100" } as const;
  const { store, exported } = groupBench({
    main: [plainItem("m", MARCH.from, own)],
    hedge: [plainItem("h", MARCH.from, { ...own, orderType: "sell" })],
  });
  await putAll(store, {
    "main/inputs/transfers.csv": "time,currency,amount,note\n2025-03-02,USDT,100,\n",
    "hedge/inputs/transfers.csv": "time,currency,amount,note\n2025-03-02,USDT,-100,\n",
  });
  const { dir, files } = await exported(exportRequest(MARCH));
  await copyPack(store, { dir: dir?.replace(`${store.location}/`, "") ?? "", files }, out);
};

/** Whatever a venue may send. */
function drawn(): Make {
  const inPeriod = fc.tuple(arbitraryFill, fc.integer({ min: MARCH.from, max: MARCH.to - 1 }));
  const fills = inPeriod.map(([fill, txCreated]) => ({ ...fill, txCreated, filledAt: null }));
  const lists = fc.uniqueArray(fills, { selector: identityOf, minLength: 200, maxLength: 200 });
  return packIn(fc.sample(lists, 1).flat());
}

const NUMBERS = { quantity: "number", price: "number", fee: "number", trigger_price: "number" };

/** `types`: of fills.csv. */
test.for<[what: string, make: Make, types?: object]>([
  ["a usual pack", usual(), NUMBERS],
  ["a pack of several accounts", ofAccounts],
  ["an incomplete pack", packIn([fillOf(1, {})], { allowIncomplete: true })],
  ["an empty pack", packIn([])],
  ["a pack with a price that is no number", packIn([fillOf(1, { price: "oops" })]), { ...NUMBERS, price: "string" }],
  ["a pack with a number of forty digits", packIn([fillOf(1, { price: "9".repeat(40) })]), NUMBERS],
  ["a pack of drawn rows", drawn()],
])("frictionless finds no fault in %s", async ([, make, types = {}], { skip }) => {
  const { python } = "missing" in installed ? skip(`frictionless is ${installed.missing}: it was NOT run`) : installed;
  const cwd = await mkdtemp(join(folder, "pack-"));
  await make(cwd);
  const name = readdirSync(cwd).find((path) => path.endsWith("datapackage.json")) ?? "";
  const { resources } = JSON.parse(readFileSync(join(cwd, name), "utf8"));
  const command = ["-m", "frictionless", "validate", "--json", name];
  const { code = 0, stdout } = await run(python, command, { cwd, maxBuffer: 1e9 }).catch((error) => error);
  const { errors, tasks }: Report = JSON.parse(stdout);
  const found = tasks.flatMap((task) => task.errors.map(({ message }) => `${task.place}: ${message}`));
  expect([...errors, ...found]).toEqual([]);
  expect([code, tasks.length]).toEqual([0, resources.length]);
  const fields: { name: string; type: string }[] = resources[0].schema.fields;
  expect(Object.fromEntries(fields.map((field) => [field.name, field.type]))).toMatchObject(types);
});

interface Report {
  readonly errors: readonly unknown[];
  readonly tasks: readonly { readonly place: string; readonly errors: readonly { readonly message: string }[] }[];
}
