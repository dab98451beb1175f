import { hash } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { historyOf, makeHistory } from "../../../emulator/history.ts";
import type { CompletedOrder } from "../../../emulator/wire.ts";
import { readCsv } from "../../../support/rfc4180.ts";
import { type Attack, endedIn, equal, type Group, harmlessOnATerminal, law, shortened } from "../attack.ts";
import { type Bench, EXPORT, FROM, openBench, SYNC } from "../bench.ts";

const JANUARY = { from: FROM, to: Date.UTC(2025, 1, 1) };
const ITEMS = 24;

const TEXTS: readonly string[] = [
  "=cmd|' /C calc'!A0",
  "+1+1",
  "-1+1",
  "@SUM(1)",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1",
  "\uFEFF=1",
  "＝1",
  "a;=1",
  'a;"=1"',
  "a\t=1",
  'a"\n"=1',
  'a","=1',
  "a|=1",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "--></style><svg onload=alert(1)>",
  "]]><x xmlns='http://evil.example'/>",
  "&#60;script&#62;",
  "javascript:alert(1)",
  "../../../etc/passwd",
  "..\\..\\x",
  "{{7*7}}`",
  "__proto__",
  "constructor",
  "\u202Egnp.exe",
  "\u2066x\u2069",
  "a\u200Bb",
  "e\u0301",
  "\0",
  "a\0=1",
  "\uD800",
  "a\uDC00b",
  "\u001B[2J\u001B]0;x\u0007",
  "\u2028=1",
  " ",
  "%s%n",
  "x".repeat(100_000),
  '"'.repeat(1000),
  '1" ; open "2020-01-01\n2020-01-01 open Assets:X',
];

const TEXT_FIELDS: readonly (keyof CompletedOrder)[] = [
  "market",
  "matchId",
  "orderId",
  "orderType",
  "executionType",
  "fillType",
  "tradeType",
  "triggerType",
  "transactionHash",
];

const AMOUNTS: readonly string[] = [
  "1e999999999",
  "1e-999999999",
  "-1e400",
  "9".repeat(100_000),
  `0.${"0".repeat(100_000)}1`,
  `1${"0".repeat(39)}`,
  "0.0000000000000000001",
  "Infinity",
  "NaN",
  "0x10",
  "-0",
  "+5",
  "--1",
  "1,5",
  "1_000",
  " 1",
  "",
  "٣",
  "１",
  "=1+1",
  "1\n2",
  "0",
  "-1",
];

const AMOUNT_FIELDS: readonly (keyof CompletedOrder)[] = ["price", "quantity", "fees", "triggerPrice"];

export const FILLS_GROUP: Group = {
  name: "Hostile fills",
  must: "exit 0, 4 or 5; every fill is kept; no formula under `,` `;` or tab, no tag, no reversed line",
  attacks: () =>
    Promise.resolve([
      ...TEXT_FIELDS.flatMap((field) => TEXTS.map((text) => withField(field, text))),
      ...AMOUNT_FIELDS.flatMap((field) => AMOUNTS.map((text) => withField(field, text))),
      ...TEXTS.map((text) => withField("aFieldThatNobodyKnows" as keyof CompletedOrder, text)),
      ...TEXTS.filter((text) => text.isWellFormed()).map((text) => withField(text as keyof CompletedOrder, "1")),
    ]),
};

const PLAIN: readonly CompletedOrder[] = (() => {
  const history = makeHistory({ seed: 21, fills: ITEMS, ...JANUARY });
  return Array.from({ length: ITEMS }, (_, at) => history.item(at));
})();

/** Three of the account's fills get the text, so that positions are opened, and some closed, with it. */
function withField(field: keyof CompletedOrder, text: string): Attack {
  const isIdentity = field === "matchId" || field === "orderId";
  const changed = PLAIN.map((item, at) => (at % 8 === 5 ? { ...item, [field]: isIdentity ? text + at : text } : item));
  return { name: `${JSON.stringify(shortName(field))}: ${JSON.stringify(shortName(text))}`, run: () => tried(changed) };
}

function shortName(text: string): string {
  return text.length > 60 ? `${text.slice(0, 40)}… of ${text.length}` : text;
}

async function tried(items: readonly CompletedOrder[]): Promise<string> {
  const bench = openBench({ history: historyOf(items) });
  const synced = await bench.type(SYNC);
  endedIn(synced, [0, 4, 5]);
  harmlessOnATerminal(synced.stdout + synced.stderr);
  const exported = await bench.type(EXPORT);
  const shown = endedIn(exported, [0, 4, 5]);
  harmlessOnATerminal(exported.stdout + exported.stderr);
  if (exported.code === 0) {
    equal(shown["complete"], true, "complete");
    checkPack(bench, String(shown["dir"]), items.length);
  }
  return `sync ${synced.code}, export ${exported.code}`;
}

function checkPack({ store }: Bench, dir: string, fills: number): void {
  const folder = dir.slice(dir.indexOf("main/packs/"));
  const files = new Map(
    [...store.snapshot()]
      .filter(([key]) => key.startsWith(`${folder}/`))
      .map(([key, body]) => [key.slice(folder.length + 1), body]),
  );
  const text = (path: string) => Buffer.from(files.get(path) ?? []).toString();
  checkSums(files, text("SHA256SUMS"));
  equal(readCsv(text("fills.csv")).length, fills + 1, "lines of fills.csv");
  for (const path of files.keys()) {
    if (path.endsWith(".csv") && !path.startsWith("inputs/")) {
      noFormula(path, text(path));
    } else if (path.endsWith(".html")) {
      noTags(path, text(path));
    } else if (path.endsWith(".xlsx")) {
      noSheetFormula(path, files.get(path) ?? new Uint8Array());
    }
  }
}

function checkSums(files: ReadonlyMap<string, Uint8Array>, sums: string): void {
  const lines = sums.trimEnd().split("\n");
  equal(lines.length, files.size - 1, "lines of SHA256SUMS");
  for (const line of lines) {
    const [sum = "", path = ""] = line.split("  ");
    equal(hash("sha256", files.get(path) ?? "", "hex"), sum, `the sum of ${path}`);
  }
}

const RUNS = /^[\s"\uFEFF]*[=+\-@＝＋－＠\0]/;
/** A plain number may begin with a minus sign; no program runs it. */
const NUMBER = /^[\s"]*-\d+(\.\d+)?"?(,|$)/;

/**
 * Requires that no cell begins as a formula, neither by RFC 4180 nor if a spreadsheet splits lines at `;` or
 * at tabs and reads quotes as text.
 */
function noFormula(path: string, text: string): void {
  const cells = readCsv(text).flat();
  const pieces = text.split(/\r\n|\n|\r/).flatMap((line) => [...line.split(";"), ...line.split("\t")]);
  const found = [...cells, ...pieces].find((cell) => RUNS.test(cell) && !NUMBER.test(cell));
  law(found === undefined, `${path}: a spreadsheet may run ${shortened(JSON.stringify(found ?? ""))}`);
}

/**
 * Requires that none of the fills' elements and handlers are in the text, and that each character which
 * changes the direction of text is enclosed in its own element.
 */
function noTags(path: string, text: string): void {
  const found = /<script>alert|<img|<svg onload|<x xmlns|\{\{7\*7\}\}<|[\u202A-\u202E\u2066-\u2069\0]/.exec(
    text.replaceAll(/<bdi>[^<]*<\/bdi>/g, ""),
  );
  law(found === null, `${path}: contains ${JSON.stringify(found?.[0])} without escaping`);
}

/** The workbook's own sums over its own cells: no text, no other function, no other file. */
const OWN_FORMULA = /^(?:SUMIFS|SUMPRODUCT|EXACT|ROUND|'[A-Za-z ]+'!|\$?[A-Z]{1,3}\$?\d+|\d+|[(),:+*-])+$/;

function noSheetFormula(path: string, bytes: Uint8Array): void {
  for (const [name, body] of Object.entries(unzipSync(bytes))) {
    law(!name.includes(".."), `${path}: has an entry ${name}`);
    const xml = strFromU8(body);
    law(!/<x xmlns|<script|\0/.test(xml), `${path}: ${name} contains a foreign tag`);
    const formulas = Array.from(xml.matchAll(/<f[^>]*>(.*?)<\/f>/gs), ([, formula = ""]) => formula);
    const foreign = formulas.find((formula) => !OWN_FORMULA.test(formula));
    law(foreign === undefined, `${path}: ${name} runs ${foreign}`);
  }
}
