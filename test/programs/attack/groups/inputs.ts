import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryStore } from "../../../support/memory-store.ts";
import { type Attack, endedIn, equal, type Group, harmlessOnATerminal } from "../attack.ts";
import { EXPORT, openBench, S3 } from "../bench.ts";
import { intactStore } from "../intact-store.ts";
import { inFolder } from "./folders.ts";

const JANUARY = Array.from({ length: 31 }, (_, at) => `2025-01-${String(at + 1).padStart(2, "0")}`);

/** Options that make an export read the file. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  "matches.csv": ["--method", "specific"],
  "rates/own.csv": ["--currency", "EUR"],
};

/** Valid input files of the user. */
const GOOD: Readonly<Record<string, string>> = {
  "accounts.json": '{"par":{"USDT":"USD"}}',
  "opening-positions.csv": "market,quantity,average_price,as_of,evidence\n*,0,,2025-01-01,\n",
  "balances.csv": "time,currency,amount,note\n2025-01-01,USD,1000,\n",
  "funding.csv": "time,market,amount,currency,source\n2025-01-05,BTC-USD,1,USD,\n",
  "transfers.csv": "time,currency,amount,note\n2025-01-05,USD,1,\n",
  "marks.csv": "market,time,price\nBTC-USD,2025-01-31,1\n",
  "matches.csv": "close_match_id,close_order_id,open_match_id,open_order_id,quantity\n",
  "rates/own.csv": `date,base,quote,rate,source\n${JANUARY.flatMap((day) => [`${day},USD,EUR,0.96,own\n`, `${day},USDT,EUR,0.96,own\n`]).join("")}`,
};

type Spoil = (good: string) => string | Buffer;

const DEPTH = 100_000;

/** Ways to spoil a valid file. */
const SPOILED: Readonly<Record<string, Spoil>> = {
  empty: () => "",
  "a byte order mark alone": () => "\uFEFF",
  "line breaks alone": () => "\r\n\r\n\n\r",
  "the header twice": (good) => `${line(good)}\n${good}`,
  "a column twice": (good) => good.replace(/^[^,\n]+/, "$&,$&"),
  "an unknown column": (good) => good.replaceAll(/$/gm, ",x"),
  "a column less": (good) => good.replaceAll(/,[^,\n]*$/gm, ""),
  "columns named as every object's": () => "__proto__,constructor,toString\n1,2,3\n",
  "a hundred thousand columns": () => `${"a,".repeat(DEPTH)}a\n`,
  "a line of 20 MB": (good) => good + "9".repeat(20_000_000),
  "a quote that does not end": (good) => `${good}"2025-01-01,x\n`,
  "a quote within a cell": (good) => `${good}20"25,x,1\n`,
  "UTF-16 with its mark": (good) => Buffer.from(`\uFEFF${good}`, "utf16le"),
  "UTF-16 without": (good) => Buffer.from(good, "utf16le"),
  "Windows-1252": (good) => Buffer.from(`${good}2025-01-05,\xE9,1\n`, "latin1"),
  "a NUL in it": (good) => good.replace(",", ",\0"),
  "half of a character": (good) => Buffer.concat([Buffer.from(good), Buffer.from([0xf0, 0x9f])]),
  "a ZIP": () => Buffer.from("504b0304140000000800", "hex"),
  "JSON within JSON": () => "[".repeat(DEPTH),
  "objects within objects": () => '{"a":'.repeat(DEPTH),
  "JSON of another kind": () => '{"__proto__":{"format":1},"format":[],"accounts":"*"}',
  "formulas in every cell": (good) => `${line(good)}\n${line(good).replaceAll(/[^,]+/g, "=1+1")}\n`,
  "numbers of a hundred thousand digits": (good) =>
    `${line(good)}\n${line(good).replaceAll(/[^,]+/g, "9".repeat(DEPTH))}\n`,
  "a giant exponent": (good) => `${line(good)}\n${line(good).replaceAll(/[^,]+/g, "1e999999999")}\n`,
  "days that there are not": (good) => good.replaceAll(/2025-01-\d\d/g, "2025-02-30"),
  "signs that turn the line": (good) => `${line(good)}\n${line(good).replaceAll(/[^,]+/g, "\u202Ex\u001B[2J")}\n`,
};

/** Changes that a spreadsheet makes to a file, and that must not matter. */
const SAME: Readonly<Record<string, Spoil>> = {
  "as it should be": (good) => good,
  "a byte order mark": (good) => `\uFEFF${good}`,
  "line breaks of Windows": (good) => good.replaceAll("\n", "\r\n"),
  "no line break at its end": (good) => good.trimEnd(),
};

/** Things in a file's place that cannot be read as a file. */
const PLACES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  "1 GB in a line": async (path) => {
    await writeFile(path, "time");
    await truncate(path, 1_000_000_000);
  },
  "a link to nothing": (path) => symlink("/nonexistent/x", path),
  "a link to a device": (path) => symlink("/dev/zero", path),
  "a link to itself": (path) => symlink(path, path),
  "a folder": async (path) => {
    await mkdir(path, { recursive: true });
  },
};

export const INPUTS: Group = {
  name: "Hostile input files",
  must: "exit 2, or a complete pack with the archive's fills",
  attacks: () =>
    Promise.resolve(
      Object.entries(GOOD).flatMap(([name, good]) => [
        ...Object.entries(SPOILED).map(([what, spoil]) =>
          given(name, what, (path) => writeFile(path, spoil(good)), [0, 2]),
        ),
        ...Object.entries(PLACES).map(([what, place]) => given(name, what, place, [2])),
        ...Object.entries(SAME).map(([what, same]) => given(name, what, (path) => writeFile(path, same(good)), [0])),
      ]),
    ),
};

function given(name: string, what: string, place: (path: string) => Promise<void>, codes: readonly number[]): Attack {
  return {
    name: `${name}: ${what}`,
    run: () =>
      inFolder(async (folder) => {
        await mkdir(join(folder, "rates"));
        await place(join(folder, name));
        const { objects, history, exported } = await intactStore();
        const store = memoryStore(S3);
        for (const [key, body] of objects) {
          store.put(key, body);
        }
        const line = [...EXPORT, "--inputs", folder, ...(ASKED[name] ?? [])];
        const ran = await openBench({ store, history }).type(line);
        const shown = endedIn(ran, codes);
        harmlessOnATerminal(ran.stdout + ran.stderr);
        if (ran.code === 0) {
          equal([shown["complete"], fillsOf(shown)], [true, fillsOf(exported)], "the pack");
        }
        return `exit ${ran.code}`;
      }),
  };
}

function fillsOf(shown: Record<string, unknown>): unknown {
  return (shown["files"] as readonly { readonly path: string }[]).filter(({ path }) => path.startsWith("fills."));
}

function line(good: string): string {
  return good.split("\n")[0] ?? "";
}
