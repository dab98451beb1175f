import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sample } from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { commodityOf } from "../../../lambda/pack/exports/names.ts";
import { DEFAULT_ACCOUNT_SETTINGS, parseAccountSettings } from "../../../lambda/pack/make/account-settings.ts";
import { type Books, booksOf, fillsFrom } from "../../accounting/make.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { installPython, notInstalled } from "../../support/python-tool.ts";
import { readCsv } from "../../support/rfc4180.ts";
import { exact } from "../tables/make.ts";
import { drawnBooks, made, textOf } from "./draw.ts";
import { cashBy } from "./files.ts";
import { KINDS } from "./tools.ts";

// The programs themselves read the journals without complaint, and their balances equal the statement's sums.

const run = promisify(execFile);
/** Not the command, because it names a folder that was renamed. */
const BEAN_CHECK = "from beancount.scripts.check import main; main()";

const HOSTILE = "=cmd|' /C calc'!A0 \"\\\n\u202E;) | [2020-01-01], date:2020-01-01 <script>";
const CASES: readonly { readonly what: string; readonly books: Books }[] = [
  { what: "the reference's example", books: booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21")) },
  { what: "a year without fills", books: booksOf([]) },
  {
    what: "hostile text",
    books: booksOf(
      fillsFrom("B1@100/0.10 S3@110/0.33", { market: `${HOSTILE}-1INCH` }).map((fill, at) => ({
        ...fill,
        matchId: `${HOSTILE}${at}`,
        orderId: at === 0 ? "" : "x".repeat(1_000_000),
      })),
    ),
  },
  ...sample(drawnBooks(), { seed: 4, numRuns: 60 }).map((books) => ({ what: "drawn", books })),
];

const folder = temporaryFolder();
beforeAll(async () => {
  for (const [at, { books }] of CASES.entries()) {
    for (const program of ["beancount", "hledger"] as const) {
      const maker = made(program)(books.context, DEFAULT_ACCOUNT_SETTINGS);
      await writeFile(pathOf(at, maker.path), textOf(maker, books));
    }
  }
});

function pathOf(at: number, name: string): string {
  return join(folder, `${at}-${name}`);
}

/** What the accounts must hold, × 10^36, without zeros. */
function expected(books: Books, accountsOf: (commodity: string) => readonly string[]): Map<string, bigint> {
  const keyOf = (currency: string, at: number) => {
    const commodity = commodityOf(currency);
    return `${accountsOf(commodity)[at]} ${commodity}`;
  };
  const cash = cashBy(books, ({ currency }) => keyOf(currency, 0));
  // Two kinds go to each of the other accounts.
  const others = cashBy(books, ({ kind, currency }) => keyOf(currency, 1 + Math.floor(KINDS.indexOf(kind) / 2)));
  const booked = Object.entries(others).map(([key, amount]) => [key, -amount] as const);
  return new Map([...Object.entries(cash), ...booked].sort());
}

function found(balances: Iterable<readonly [string, string]>): Map<string, bigint> {
  const held = [...balances].map(([key, text]) => [key, exact(text)] as const);
  return new Map(held.filter(([, amount]) => amount !== 0n).sort());
}

/**
 * Two years under the user's own names, as parts of a ledger that opens the accounts and also has a deposit.
 */
const PARTS = {
  settings: parseAccountSettings(
    JSON.stringify({
      beancount: { cash: "Assets:Börse-1:{currency}", standalone: false },
      hledger: { cash: "assets:Börse & co:{currency}", standalone: false },
    }),
    "accounts.json",
  ),
  years: ["2024", "2025"].map((year) =>
    booksOf(fillsFrom("B1@100/0.10 S1@110/0.33", { from: Date.UTC(Number(year), 5) }), {
      period: parsePeriod(`calendar-${year}`),
    }),
  ),
};

async function writeParts(program: "beancount" | "hledger", main: string): Promise<string> {
  for (const books of PARTS.years) {
    const maker = made(program)(books.context, PARTS.settings);
    await writeFile(join(folder, `${books.context.period.name}-${maker.path}`), textOf(maker, books));
  }
  const path = join(folder, "main.journal");
  await writeFile(path, main);
  return path;
}

describe.each(["beancount 2", "beancount 3"] as const)("%s", (version) => {
  let beancount: Awaited<ReturnType<typeof installPython>> = { missing: "" };
  beforeAll(async () => {
    beancount = await installPython(join(import.meta.dirname, `${version.replace(" ", "-")}-requirements.txt`));
  });

  test("accepts every journal, and has the statement's sums", async ({ skip }) => {
    const { python } = "missing" in beancount ? skip(beancount.missing) : beancount;
    const paths = CASES.map((_, at) => pathOf(at, "journal.beancount"));
    const script = join(import.meta.dirname, "load_beancount.py");
    const { stdout } = await run(python, [script, ...paths], { maxBuffer: 1e9 });
    const results: { errors: string[]; balances: Record<string, string> }[] = JSON.parse(stdout);
    expect(results.flatMap(({ errors }, at) => errors.map((error) => `${at}: ${error}`))).toEqual([]);
    expect(results.map(({ balances }) => found(Object.entries(balances)))).toEqual(
      CASES.map(({ books }) =>
        expected(books, (commodity) => [
          `Assets:Perps:Main:${commodity}`,
          "Income:Perps:Realised",
          "Expenses:Perps:Fees",
          "Income:Perps:Funding",
          "Equity:Perps:Transfers",
        ]),
      ),
    );
  });

  test("takes journals of several years into a larger one", async ({ skip }) => {
    const { python } = "missing" in beancount ? skip(beancount.missing) : beancount;
    const path = await writeParts(
      "beancount",
      `2024-01-01 open Assets:Börse-1:USDT
2024-01-01 open Assets:Bank
2024-01-01 open Income:Perps:Realised
2024-01-01 open Expenses:Perps:Fees
2024-01-02 * "deposit"
  Assets:Börse-1:USDT  100 USDT
  Assets:Bank
include "calendar-2024-journal.beancount"
include "calendar-2025-journal.beancount"
2026-01-01 balance Assets:Börse-1:USDT  119.14 ~ 0 USDT
`,
    );
    expect(await run(python, ["-c", BEAN_CHECK, path])).toEqual({ stdout: "", stderr: "" });
  });
});

describe("hledger", () => {
  let hledger: Hledger = { missing: "" };
  beforeAll(async () => {
    hledger = await installHledger();
  });

  const call = (installed: Exclude<Hledger, { missing: string }>, ...args: string[]) =>
    run(installed.program, args, { env: { ...process.env, ...installed.environment }, maxBuffer: 1e9 });

  test("accepts every journal in strict mode, and has the statement's sums", async ({ skip }) => {
    const installed = "missing" in hledger ? skip(hledger.missing) : hledger;
    for (const [at, { what, books }] of CASES.entries()) {
      const path = pathOf(at, "journal.hledger");
      expect(await call(installed, "-f", path, "check", "--strict"), what).toEqual({ stdout: "", stderr: "" });
      const { stdout } = await call(installed, "-f", path, "bal", "--flat", "--no-total", "--layout=bare", "-O", "csv");
      const rows = readCsv(stdout.replaceAll(/\r?\n/g, "\r\n")).slice(1);
      const balances = rows.map(
        ([account = "", commodity = "", amount = ""]) => [`${account} ${commodity}`, amount] as const,
      );
      expect(found(balances), `${what}, ${at}`).toEqual(
        expected(books, (commodity) => [
          `assets:perps:main:${commodity.toLowerCase()}`,
          "income:perps:realised",
          "expenses:perps:fees",
          "income:perps:funding",
          "equity:perps:transfers",
        ]),
      );
    }
  });

  test("takes journals of several years into a larger one", async ({ skip }) => {
    const installed = "missing" in hledger ? skip(hledger.missing) : hledger;
    const path = await writeParts(
      "hledger",
      `commodity 1000.00 USDT
account assets:Börse & co:usdt
account assets:bank
account income:perps:realised
account expenses:perps:fees
2024-01-02 deposit
    assets:Börse & co:usdt  100.00 USDT
    assets:bank
include calendar-2024-journal.hledger
include calendar-2025-journal.hledger
2025-12-31 end
    assets:Börse & co:usdt  0 USDT = 119.14 USDT
`,
    );
    expect(await call(installed, "-f", path, "check", "--strict")).toEqual({ stdout: "", stderr: "" });
  });
});

/** hledger is not among the project's packages. It is unpacked in a place that git and `npm ci` ignore. */
const FOLDER = join(import.meta.dirname, "../../../node_modules/.cache/fillbook-hledger-1");

/** How to call it, or why it is not available. */
type Hledger =
  | { readonly program: string; readonly environment: Readonly<Record<string, string>> }
  | { readonly missing: string };

async function installHledger(): Promise<Hledger> {
  const marker = join(FOLDER, "installed.json");
  try {
    if (!existsSync(marker)) {
      await rm(FOLDER, { recursive: true, force: true });
      await mkdir(FOLDER, { recursive: true });
      await writeFile(marker, JSON.stringify(await install(FOLDER)));
    }
    return JSON.parse(await readFile(marker, "utf8"));
  } catch (error) {
    return notInstalled(error);
  }
}

/**
 * Unpacks hledger of this Debian or Ubuntu with its libraries into a folder, which needs no system rights.
 * The package lists are downloaded into the folder too, because a fresh container has none.
 */
async function install(folder: string): Promise<Hledger> {
  const state = ["lists/partial", "cache/archives/partial", "packages"].map((name) => join(folder, name));
  await Promise.all(state.map((path) => mkdir(path, { recursive: true })));
  const packages = join(folder, "packages");
  const options = [
    `Dir::State::lists=${join(folder, "lists")}`,
    `Dir::Cache=${join(folder, "cache")}`,
    "APT::Sandbox::User=",
    "Acquire::Languages=none",
  ].flatMap((option) => ["-o", option]);
  const apt = (...args: string[]) => run("apt-get", [...options, ...args], { cwd: packages });
  await apt("update");
  await apt("download", "hledger");
  const [hledger = ""] = await readdir(packages);
  const { stdout } = await run("dpkg-deb", ["--field", join(packages, hledger), "Depends"]);
  const libraries = [...stdout.matchAll(/\b(?!libc6\b)lib[a-z0-9.+-]+/g)].map(([name]) => name);
  await apt("download", ...libraries);
  for (const name of await readdir(packages)) {
    await run("dpkg-deb", ["--extract", join(packages, name), folder]);
  }
  const { stdout: places } = await run("find", [folder, "-name", "lib*.so.*", "-printf", "%h\n"]);
  const environment = { LD_LIBRARY_PATH: [...new Set(places.trim().split("\n"))].join(":"), LANG: "C.UTF-8" };
  const program = join(folder, "usr/bin/hledger");
  await run(program, ["--version"], { env: { ...process.env, ...environment } });
  await rm(join(folder, "lists"), { recursive: true });
  return { program, environment };
}
