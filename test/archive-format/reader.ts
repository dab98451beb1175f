import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { type DataFileRow, type Fill, fillOfRow, setHashOf } from "./content.ts";
import type {
  Child,
  DataFile,
  Head,
  Leaf,
  Manifest,
  Node,
  Range,
  Restated,
  RestatementFile,
  Sum,
  Window,
} from "./objects.ts";

/**
 * A reader of archives, written from docs/archive-format.md alone. It imports nothing from lambda/, which
 * shows that the document is enough. Each step throws if the archive is not as the document says.
 */
export interface Archive {
  readonly fills: readonly Fill[];
  readonly coverage: readonly Range[];
  readonly restatements: readonly Restated[];
  /** Lines of raw responses that windows name. */
  readonly pages: number;
  /** Nodes of the index that are stored as objects of their own. */
  readonly storedNodes: number;
  readonly contracts: Readonly<Record<string, string | null>>;
}

const NUMBERS = ["quantity", "price", "notional", "fee", "trigger_price"];
const TEXTS = [
  ...["market", "side", "liquidity", "trade_type", "fill_type", "trigger_type"],
  ...["order_id", "match_id", "transaction_hash", "extra"],
];
const UNITS = ["all", "year", "month", "day", "hour", "minute"] as const;
/** How many characters of an ISO time name a unit of each level. */
const NAME_LENGTH = [0, 4, 7, 10, 13, 16] as const;

export async function readArchive(store: string, account: string): Promise<Archive> {
  const reader = new Reader(store, account);
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    return await reader.read(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

class Reader {
  readonly #store: string;
  readonly #account: string;
  #storedNodes = 0;

  constructor(store: string, account: string) {
    this.#store = store;
    this.#account = account;
  }

  async read(connection: DuckDBConnection): Promise<Archive> {
    const { index, coverage, fills: count } = await this.#manifest();
    const { dataFiles, windows, restatements } = joined(await this.#leaves(index, 0));
    const fills: Fill[] = [];
    for (const [at, dataFile] of dataFiles.entries()) {
      check(at === 0 || (dataFiles[at - 1]?.to ?? 0) <= dataFile.from, `${dataFile.key} overlaps the one before it`);
      fills.push(...(await this.#fillsOf(dataFile, connection)));
    }
    check(fills.length === count, `the data files hold ${fills.length} fills, the manifest says ${count}`);
    const identities = new Set(fills.map(({ content }) => JSON.stringify(content.slice(0, 2))));
    check(identities.size === fills.length, "a fill stands in two rows");
    check(JSON.stringify(union(windows)) === JSON.stringify(coverage), "the windows are not the coverage");
    for (const window of windows) {
      const held = fills.filter(({ txCreated }) => window.from <= txCreated && txCreated < window.to).length;
      check(held >= window.rows, `the window of ${window.from} had ${window.rows} fills, and has ${held}`);
    }
    return {
      fills,
      coverage,
      restatements: await this.#restatements(restatements),
      pages: await this.#pages(windows),
      storedNodes: this.#storedNodes,
      contracts: await this.#contracts(),
    };
  }

  async #manifest(): Promise<Manifest> {
    const head: Head = JSON.parse(String(await this.#bytes(`${this.#account}/head.json`)));
    check(head.format === "fillbook-head/1", `a head of format ${head.format}`);
    const ref = head.manifest;
    if (ref === null) {
      throw new Error("nothing was committed yet");
    }
    const key = `${this.#account}/manifests/${ref.seq}-${ref.sha256}.json`;
    const object = await this.#immutable(key, ref.sha256);
    // The head holds a copy of the manifest, and the object exists too, for later readers.
    const copy = sha256(Buffer.from(`${JSON.stringify(head.current)}\n`)) === ref.sha256 ? head.current : null;
    const manifest: Manifest = copy ?? JSON.parse(String(object));
    check(JSON.stringify(manifest) === JSON.stringify(JSON.parse(String(object))), "the head's copy differs");
    check(manifest.format === "fillbook-manifest/3", `a manifest of format ${manifest.format}`);
    check(manifest.account === this.#account && manifest.seq === ref.seq, "the manifest is another one");
    return manifest;
  }

  async #leaves(node: Node, level: number): Promise<readonly Leaf[]> {
    if (node.kind === "leaf") {
      const entries = node.dataFiles.length + node.windows.length + node.restatements.length;
      check(entries <= 64 || UNITS[level] === "minute", `a leaf of a ${UNITS[level]} with ${entries} entries`);
      return [node];
    }
    const leaves: Leaf[] = [];
    for (const child of node.children) {
      const below = await this.#leaves(await this.#node(child, level + 1), level + 1);
      checkSum(child.sum, joined(below));
      leaves.push(...below);
    }
    return leaves;
  }

  async #node({ at, from }: Child, level: number): Promise<Node> {
    if (at.kind !== "stored") {
      return at;
    }
    this.#storedNodes += 1;
    const unit = new Date(from).toISOString().slice(0, NAME_LENGTH[level]).replace(":", "");
    const key = `${this.#account}/index/${unit}-${at.epoch}-${at.sha256}.json`;
    return JSON.parse(String(await this.#immutable(key, at.sha256)));
  }

  async #fillsOf(dataFile: DataFile, connection: DuckDBConnection): Promise<readonly Fill[]> {
    const body = await this.#immutable(dataFile.key, dataFile.sha256);
    check(body.length === dataFile.bytes, `${dataFile.key} has ${body.length} bytes`);
    const path = join(this.#store, dataFile.key).replaceAll("'", "''");
    const numbers = NUMBERS.map((name) => `${name}::VARCHAR AS ${name}`);
    const times = ["filled_at", "tx_created"].map((name) => `epoch_ms(${name}) AS ${name}`);
    // DuckDB's package for Node drops a byte order mark at the beginning of a text.
    const texts = TEXTS.map((name) => `to_base64(encode(${name})) AS ${name}`);
    const sql = `SELECT ${[...texts, ...numbers, ...times].join(", ")}, digits FROM read_parquet('${path}')`;
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
    const fills = rows.map((row) => fillOfRow(withTexts(row)));
    check(fills.length === dataFile.rows, `${dataFile.key} has ${fills.length} rows`);
    const created = fills.map(({ txCreated }) => txCreated);
    const trades = fills.map(({ tradeTime }) => tradeTime);
    const [first = 0, last = 0] = [created.at(0), created.at(-1)];
    check(first === dataFile.first && last === dataFile.last, `${dataFile.key}: its first or last fill`);
    check(dataFile.from <= first && last < dataFile.to, `${dataFile.key} has a fill from outside its partition`);
    check(
      Math.min(...trades) === dataFile.firstTrade && Math.max(...trades) === dataFile.lastTrade,
      `${dataFile.key}: its trade times`,
    );
    check(
      fills.every((fill, at) => at === 0 || inOrder(fills[at - 1] ?? fill, fill)),
      `${dataFile.key}: its order`,
    );
    check(setHashOf(fills) === dataFile.setHash, `${dataFile.key}: its set-hash`);
    return fills;
  }

  async #restatements(files: readonly RestatementFile[]): Promise<readonly Restated[]> {
    const all: Restated[] = [];
    for (const { key, sha256: hash, rows } of files) {
      const lines = linesOf(await this.#immutable(key, hash));
      check(lines.length === rows, `${key} has ${lines.length} restatements`);
      all.push(...lines.map((line) => JSON.parse(line) as Restated));
    }
    return all;
  }

  async #pages(windows: readonly Window[]): Promise<number> {
    let count = 0;
    for (const key of new Set(windows.flatMap(({ rawResponses }) => rawResponses))) {
      const hash = /-(?<hash>[0-9a-f]{64})\.jsonl\.zst$/.exec(key)?.groups?.["hash"] ?? "";
      for (const line of linesOf(await this.#immutable(key, hash))) {
        const { request, body } = JSON.parse(line) as {
          request: object;
          body: string | { completedOrders: unknown[] };
        };
        const page = typeof body === "string" ? JSON.parse(body) : body;
        check(
          Object.keys(request).every((name) => ["startDate", "endDate", "start"].includes(name)),
          `${key}: a request`,
        );
        check(Array.isArray(page.completedOrders), `${key}: a body without orders`);
        count += 1;
      }
    }
    return count;
  }

  async #contracts(): Promise<Archive["contracts"]> {
    const names = await readdir(join(this.#store, this.#account, "contracts")).catch(() => []);
    const newest = names
      .map((name) => /^(?<seq>\d+)-(?<hash>[0-9a-f]{64})\.json$/.exec(name)?.groups)
      .filter((groups) => groups !== undefined)
      .sort((a, b) => Number(a["seq"]) - Number(b["seq"]) || (`${a["hash"]}` < `${b["hash"]}` ? -1 : 1))
      .at(-1);
    if (newest === undefined) {
      return {};
    }
    const key = `${this.#account}/contracts/${newest["seq"]}-${newest["hash"]}.json`;
    const record = JSON.parse(String(await this.#immutable(key, `${newest["hash"]}`)));
    check(record.format === "fillbook-contracts/1" && record.account === this.#account, `${key}: its format`);
    return record.markets;
  }

  /** The object's bytes, after a check against the hash in its name. */
  async #immutable(key: string, hash: string): Promise<Buffer> {
    const body = await this.#bytes(key);
    check(key.includes(`-${hash}.`) && sha256(body) === hash, `${key} is not what its name says`);
    return body;
  }

  async #bytes(key: string): Promise<Buffer> {
    return await readFile(join(this.#store, key));
  }
}

function withTexts(row: Readonly<Record<string, unknown>>): DataFileRow {
  const texts = TEXTS.map((name) => {
    const cell = row[name];
    return [name, typeof cell === "string" ? Buffer.from(cell, "base64").toString("utf8") : null];
  });
  return { ...row, ...Object.fromEntries(texts) };
}

function check(holds: boolean, otherwise: string): void {
  if (!holds) {
    throw new Error(otherwise);
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function linesOf(compressed: Buffer): readonly string[] {
  return zstdDecompressSync(compressed)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function joined(leaves: readonly Leaf[]): Omit<Leaf, "kind"> {
  return {
    dataFiles: leaves.flatMap(({ dataFiles }) => dataFiles),
    windows: leaves.flatMap(({ windows }) => windows),
    restatements: leaves.flatMap(({ restatements }) => restatements),
  };
}

function checkSum(sum: Sum, { dataFiles, windows, restatements }: Omit<Leaf, "kind">): void {
  const total = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const set = dataFiles.reduce((a, { setHash }) => (a + BigInt(`0x${setHash}`)) % 2n ** 256n, 0n);
  const expected: Sum = {
    ...{ dataFiles: dataFiles.length, windows: windows.length, restatements: restatements.length },
    ...{ fills: total(dataFiles.map(({ rows }) => rows)), setHash: set.toString(16).padStart(64, "0") },
    firstTrade: dataFiles.length === 0 ? null : Math.min(...dataFiles.map(({ firstTrade }) => firstTrade)),
    lastTrade: dataFiles.length === 0 ? null : Math.max(...dataFiles.map(({ lastTrade }) => lastTrade)),
    dataFilesTo: Math.max(0, ...dataFiles.map(({ to }) => to)),
    windowsTo: Math.max(0, ...windows.map(({ to }) => to)),
    restated: total(restatements.map(({ rows }) => rows)),
    restatedTo: restatements.length === 0 ? null : Math.max(...restatements.map(({ lastTrade }) => lastTrade)),
  };
  for (const [name, value] of Object.entries(expected)) {
    check(sum[name] === value, `a unit's sum says ${name} ${sum[name]}, its entries ${value}`);
  }
}

function inOrder(a: Fill, b: Fill): boolean {
  const [[matchA, orderA], [matchB, orderB]] = [a.content, b.content] as [string[], string[]];
  const [keyA, keyB] = [
    [matchA ?? "", orderA ?? ""],
    [matchB ?? "", orderB ?? ""],
  ] as const;
  if (a.txCreated !== b.txCreated) {
    return a.txCreated < b.txCreated;
  }
  return keyA[0] === keyB[0] ? (keyA[1] ?? "") < (keyB[1] ?? "") : (keyA[0] ?? "") < (keyB[0] ?? "");
}

function union(ranges: readonly Range[]): readonly Range[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) {
      last.to = Math.max(last.to, to);
    } else {
      merged.push({ from, to });
    }
  }
  return merged;
}
