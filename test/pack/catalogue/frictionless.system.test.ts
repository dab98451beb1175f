import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Fill, identityOf } from "../../../lambda/core/fill.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { inputsOf } from "../../../lambda/inputs/inputs.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { arbitraryFill } from "../../support/arbitrary-fill.ts";
import { exportRequest, groupBench, plainItem, putAll } from "../../support/exports.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { installPython } from "../../support/python-tool.ts";
import { MARCH, type PackOptions, packOf } from "../pack.ts";

// `frictionless validate datapackage.json`, of the program that goes with the standard, reads every file of a pack as
// its datapackage.json describes it, and has nothing to complain about.

const run = promisify(execFile);
const folder = temporaryFolder();
const installed = await installPython(join(import.meta.dirname, "frictionless-requirements.txt"));
const RATES = join(import.meta.dirname, "../../accounting/rates/fixtures");
const US = parsePeriod("us-2025");

/** The files of a pack by their paths. */
type Files = ReadonlyMap<string, Uint8Array>;

async function made(fills: readonly Fill[], options: PackOptions = {}): Promise<Files> {
  const store = memoryStore();
  const { from, to } = options.period ?? MARCH;
  const { dir } = await packOf(store, fills, options, { from: from - 40 * DAY_MS, to });
  return filesIn(store.snapshot(), dir);
}

function filesIn(objects: Files, dir: string): Files {
  const own = [...objects].filter(([key]) => key.startsWith(`${dir}/`));
  return new Map(own.map(([key, body]) => [key.slice(dir.length + 1), body]));
}

/** A fill a day. */
function fillOf(day: number, more: Partial<Fill>): Fill {
  const side = day % 3 === 1 ? "sell" : "buy";
  return makeFill({ matchId: `m${day}`, txCreated: MARCH.from + day * DAY_MS, filledAt: null, side, ...more });
}

/** With every file that a user may give. One of rates has more than one table, and lines of several lengths. */
async function usual(): Promise<Files> {
  const given = {
    "accounts.json": "{}",
    "adjustments.csv": "market,time,side,quantity,price,fee,note\nX-USD,2025-05-01T00:00:00Z,buy,1,0,0,renamed\n",
    "balances.csv": "time,currency,amount,note\n2025-03-01,USD,1e2,\n",
    "funding.csv": "time,market,amount,currency,source\r\n2025-03-05,BTC-USD,-1e-3,USD,\r\n",
    "marks.csv": "market,time,price\nBTC-USD,2025-12-31,61000\n\n",
    "opening-positions.csv": "market,quantity,average_price,as_of,evidence\nBTC-USD,1,5,2025-01-01,statement\n",
    "rates/own.csv": "date,base,quote,rate,source\n2025-03,USDT,USD,1.0001,average\n",
    "rates/valet.csv": await readFile(join(RATES, "valet.csv"), "utf8"),
    "transfers.csv": 'time,currency,amount,note\n2025-03-02,USD,100,"two\nlines"\n',
  };
  const files = Object.entries(given).map(([name, text]) => ({ name, bytes: Buffer.from(text), sha256: "" }));
  const fills = Array.from({ length: 31 }, (_, day) => fillOf(day, { market: day % 2 === 0 ? "BTC-USD" : "ETH-USDT" }));
  const inputs = inputsOf(files, "main/inputs", US.zone);
  return await made(fills, { inputs, period: US, currency: "USD", method: "fifo" });
}

async function ofAccounts(): Promise<Files> {
  const own = { orderType: "buy", quantity: "3", price: "100" } as const;
  const { store, exported } = groupBench({
    main: [plainItem("m", MARCH.from, own)],
    hedge: [plainItem("h", MARCH.from, { ...own, orderType: "sell" })],
  });
  await putAll(store, {
    "main/inputs/transfers.csv": "time,currency,amount,note\n2025-03-02,USDT,100,\n",
    "hedge/inputs/transfers.csv": "time,currency,amount,note\n2025-03-02,USDT,-100,\n",
  });
  const { dir } = await exported(exportRequest(MARCH));
  return filesIn(store.snapshot(), dir?.replace(`${store.location}/`, "") ?? "");
}

/** Whatever a venue may send. */
function drawn(): Promise<Files> {
  const inPeriod = fc.tuple(arbitraryFill, fc.integer({ min: MARCH.from, max: MARCH.to - 1 }));
  const fills = inPeriod.map(([fill, txCreated]) => makeFill({ ...fill, txCreated, filledAt: null }));
  const lists = fc.uniqueArray(fills, { selector: identityOf, minLength: 200, maxLength: 200 });
  return made(fc.sample(lists, 1).flat());
}

const NUMBERS = { quantity: "number", price: "number", fee: "number", trigger_price: "number" };

/** `types`: of fills.csv. */
test.for<[what: string, files: () => Promise<Files>, types?: object]>([
  ["a usual pack", usual, NUMBERS],
  ["a pack of several accounts", ofAccounts],
  ["an incomplete pack", () => made([fillOf(1, {})], { allowIncomplete: true })],
  ["an empty pack", () => made([])],
  [
    "a pack with a price that is no number",
    () => made([fillOf(1, { price: "oops" })]),
    { ...NUMBERS, price: "string" },
  ],
  ["a pack with a number of forty digits", () => made([fillOf(1, { price: "9".repeat(40) })]), NUMBERS],
  ["a pack of drawn rows", drawn],
])("frictionless finds no fault in %s", async ([, files, types = {}], { skip }) => {
  const { python } = "missing" in installed ? skip(`frictionless is ${installed.missing}: it was NOT run`) : installed;
  const own = await mkdtemp(join(folder, "pack-"));
  const pack = await files();
  for (const [path, body] of pack) {
    await mkdir(dirname(join(own, path)), { recursive: true });
    await writeFile(join(own, path), body);
  }
  const name = [...pack.keys()].find((path) => path.endsWith("datapackage.json")) ?? "";
  const command = ["-m", "frictionless", "validate", "--json", name];
  const { code = 0, stdout } = await run(python, command, { cwd: own, maxBuffer: 1e9 }).catch((error) => error);
  const { errors, tasks } = JSON.parse(stdout) as Report;
  const found = [...errors, ...tasks.flatMap((task) => task.errors.map(({ message }) => `${task.place}: ${message}`))];
  expect(found).toEqual([]);
  expect([code, tasks.length]).toEqual([0, pack.size - 2]); // without datapackage.json and SHA256SUMS
  const { resources } = JSON.parse(String(Buffer.from(pack.get(name) ?? [])));
  const fields: { name: string; type: string }[] = resources[0].schema.fields;
  expect(Object.fromEntries(fields.map((field) => [field.name, field.type]))).toMatchObject(types);
});

interface Report {
  readonly errors: readonly unknown[];
  readonly tasks: readonly { readonly place: string; readonly errors: readonly { readonly message: string }[] }[];
}
