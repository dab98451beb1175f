import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodePages, PageMemory, type RawResponse, WaitingPages } from "../../lambda/archive/raw-responses.ts";
import type { PageRequest } from "../../lambda/service/service.ts";
import { duckdb } from "../support/duckdb.ts";
import { encodePages } from "../support/raw-responses.ts";

/**
 * Text that a reader could mistake for the end of the request, the end of a line or the beginning of a body.
 */
const confusing = fc.oneof(
  fc.constantFrom(',"body":', ',"body":{', '","body":{', '\\",\\"body\\":{', '"', "\\", "}", "\n", "\r\n", "\u2028"),
  fc.string({ unit: "binary" }),
);
const text = fc.array(confusing, { maxLength: 4 }).map((dataFiles) => dataFiles.join(""));

const request: fc.Arbitrary<PageRequest> = fc.record(
  { startDate: fc.integer(), endDate: fc.integer(), start: text },
  { requiredKeys: [], noNullPrototype: true },
);

/** What an accepted page may be: JSON with any white space, escapes, numbers and keys. */
const json = fc
  .record({
    rows: fc.array(fc.oneof(fc.jsonValue(), text)),
    last: fc.option(text),
    space: fc.constantFrom("", " ", "\n", "\r", "\t"),
    before: fc.constantFrom("", "", " ", "\uFEFF"),
    after: fc.constantFrom("", "", " ", "\n"),
  })
  .map(({ rows, last, space, before, after }) => {
    const body = JSON.stringify({ completedOrders: rows, last }, null, space);
    return before + body + after;
  });

const pages = (body: fc.Arbitrary<string>) => fc.array(fc.record({ request, body }, { noNullPrototype: true }));

function linesOf(bytes: Uint8Array): string[] {
  return zstdDecompressSync(bytes).toString("utf8").split("\n").slice(0, -1);
}

/** The encoding of older archives, in which a body never stood in its line unchanged. */
function encodedBefore(some: readonly RawResponse[]): Uint8Array {
  return zstdCompressSync(some.map(({ request, body }) => `${JSON.stringify({ request, body })}\n`).join(""));
}

async function inDuckdb<T>(bytes: Uint8Array, work: (file: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "fillbook-pages-"));
  try {
    const file = join(dir, "pages.jsonl.zst");
    await writeFile(file, bytes);
    return await work(`read_json('${file}', format = 'newline_delimited', columns = {request: 'JSON', body: 'JSON'})`);
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe("kept raw responses are read back unchanged", () => {
  test("any body, JSON or not, after any request", () => {
    fc.assert(
      fc.property(
        pages(
          fc.oneof(
            json,
            text,
            text.map((inner) => `{${inner}}`),
          ),
        ),
        (some) => {
          expect(decodePages(encodePages(some))).toEqual(some);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("from older archives too", () => {
    fc.assert(
      fc.property(pages(fc.oneof(json, text)), (some) => {
        expect(decodePages(encodedBefore(some))).toEqual(some);
      }),
    );
  });

  test("other bytes are refused, and not read as no responses", () => {
    expect(() => decodePages(zstdCompressSync("no page\n"))).toThrow(SyntaxError);
    expect(() => decodePages(zstdCompressSync('{"request":{x},"body":{}}\n'))).toThrow(SyntaxError);
    expect(() => decodePages(new Uint8Array([1, 2, 3]))).toThrow();
  });
});

describe("a line", () => {
  test("is JSON, and its body is the received object or its text", () => {
    fc.assert(
      fc.property(pages(json), (some) => {
        const lines = linesOf(encodePages(some));
        expect(lines).toHaveLength(some.length);
        for (const [index, line] of lines.entries()) {
          const { body } = JSON.parse(line);
          const came = some[index]?.body ?? "";
          expect(body).toEqual(typeof body === "string" ? came : JSON.parse(came));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("DuckDB reads every line, old ones and new ones", async () => {
    const bodies = [
      '{"completedOrders":[{"price":"1e400","a":1,"a":[1e400,-0.5]}],"last":"é漢😀\u2028"}',
      '{"completedOrders":[{"market":"\\ud800"}]}',
      '{"completedOrders":[]\n}',
      '{"completedOrders":[{"matchId":"m"}],"last":"\\/"}',
    ];
    const some = bodies.map((body, index) => ({ request: { startDate: index, start: ',"body":{' }, body }));
    for (const bytes of [encodePages(some), encodedBefore(some)]) {
      const rows = await inDuckdb(bytes, (table) =>
        duckdb(`SELECT request->>'startDate' AS at,
          CASE json_type(body) WHEN 'VARCHAR' THEN body->>'$' ELSE body::VARCHAR END AS body FROM ${table}`),
      );
      expect(rows.map(({ at }) => at)).toEqual(["0", "1", "2", "3"]);
      expect(rows.map(({ body }) => JSON.parse(String(body)))).toEqual(bodies.map((body) => JSON.parse(body)));
    }
  });
});

test("after clear(), only later pages are encoded", () => {
  const page = (body: string) => ({ request: { start: "c1" }, body });
  const waiting = new WaitingPages(new PageMemory());
  for (const bodies of [['{"completedOrders":[]}', "x".repeat(3_000_000)], ["é€😀"], ["{}"]]) {
    for (const body of bodies) {
      waiting.add(page(body));
    }
    expect(waiting.count).toBe(bodies.length);
    expect(decodePages(waiting.encode())).toEqual(bodies.map(page));
    waiting.clear();
  }
});
