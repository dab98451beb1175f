import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { decodePage } from "../../../lambda/service/decode.ts";
import type { PageRequest, ServiceReader } from "../../../lambda/service/service.ts";
import { stubReader } from "../../cli/commands/stub-reader.ts";
import { createEmulator } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import type { Meter } from "./meter.ts";

export const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) } as const;

const PAGE_ROWS = 100;
const FIRST = "coalesce((SELECT place FROM rows WHERE time <= ? ORDER BY time DESC, place LIMIT 1), 1e15)";
const PAGE = `SELECT place, text FROM rows WHERE place >= max(?, ${FIRST}) AND place < ${FIRST} ORDER BY place LIMIT ${PAGE_ROWS + 1}`;

function opened(dir: string): DatabaseSync {
  return new DatabaseSync(join(dir, "account.sqlite"));
}

/** Writes the emulator's rows to disk, so that a measured process neither creates nor holds them. */
export function writeAccount(dir: string, fills: number): void {
  const emulator = createEmulator({ history: makeHistory({ seed: 1, fills, ...YEAR }) });
  const database = opened(dir);
  database.exec("CREATE TABLE rows (place INTEGER PRIMARY KEY, time INTEGER, text TEXT); BEGIN");
  const insert = database.prepare("INSERT INTO rows VALUES (?, ?, ?)");
  let place = fills;
  for (const item of emulator.truthItems()) {
    place -= 1;
    insert.run(place, item.txCreated, JSON.stringify(item));
  }
  database.exec("COMMIT; CREATE INDEX times ON rows (time DESC)");
  database.close();
}

/**
 * The service as its document describes it: newest rows first, both dates inclusive. A cursor is the place of
 * the next row.
 */
export class AccountFile {
  readonly #page;

  constructor(dir: string) {
    this.#page = opened(dir).prepare(PAGE);
  }

  body({ startDate = 0, endDate = Number.MAX_SAFE_INTEGER, start = "0" }: PageRequest): string {
    const rows = this.#page.all(Number(start), endDate, startDate - 1);
    const texts = rows.slice(0, PAGE_ROWS).map((row) => row["text"]);
    const next = rows[PAGE_ROWS];
    return `{"completedOrders":[${texts.join(",")}]${next === undefined ? "" : `,"last":"${next["place"]}"`}}`;
  }
}

/** The bodies of all pages, in the service's order. The cost of reading them is not measured. */
export function* pageBodies(account: AccountFile, fills: number, meter: Meter): Generator<string> {
  for (let place = 0; place < fills; place += PAGE_ROWS) {
    yield meter.aside(() => account.body({ start: String(place) }));
  }
}

/** A reader over the file. It does what the client does apart from the network. */
export function accountReader(account: AccountFile, meter: Meter): ServiceReader {
  const counts = { requests: 0, refused: 0 };
  return stubReader({
    counts,
    // biome-ignore lint/suspicious/useAwait: the port is asynchronous
    async completedOrders(request) {
      counts.requests += 1;
      const body = meter.aside(() => account.body(request));
      return { kind: "page", body, ...decodePage(body) };
    },
  });
}
