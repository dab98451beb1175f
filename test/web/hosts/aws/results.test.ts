import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { MOST_SENT_BYTES, resultOf } from "../../../../lambda/web/hosts/aws/results.ts";
import type { PageAnswer } from "../../../../lambda/web/request.ts";
import { textOf } from "./edge.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const GZIP = { headers: { "accept-encoding": "gzip, deflate, br, zstd" } };
const PLAIN = { headers: {} };

function html(body: PageAnswer["body"], headers: PageAnswer["headers"] = {}): PageAnswer {
  return { status: 200, headers: { ...HTML, ...headers }, body };
}

/** `count` pieces. Records how many were read. */
function pieces(count: number, piece: Uint8Array) {
  const asked = { count: 0 };
  async function* give(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < count; at += 1) {
      asked.count += 1;
      yield await Promise.resolve(piece);
    }
  }
  return { asked, body: give() };
}

/** Bytes that do not compress: the low byte of a linear congruential generator's upper half. */
function noise(bytes: number): Buffer {
  let state = 1;
  return Buffer.from(
    Uint8Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

describe("an answer in the API's form", () => {
  test("sends short text unchanged, and each cookie separately", async () => {
    const cookies = ["a=1; Path=/", "b=2; Path=/"];
    const answer = { ...html("<p>é"), cookies };
    expect(await resultOf(answer, GZIP)).toEqual({
      statusCode: 200,
      headers: { ...HTML, vary: "accept-encoding" },
      cookies,
      body: "<p>é",
      isBase64Encoded: false,
    });
  });

  test.each([1023, 1024, 100_000])("sends text of %i bytes, compressed if that helps", async (n) => {
    const text = "<p>é\n"
      .repeat(n)
      .slice(0, n - 1)
      .padEnd(n, "x");
    const bytes = Buffer.from(text).subarray(0, n);
    const isPacked = bytes.length >= 1024;
    for (const body of [bytes.toString(), bytes, new Blob([bytes]).stream()]) {
      const result = await resultOf(html(body), GZIP);
      expect(result === null ? null : textOf(result)).toBe(bytes.toString());
      const encoding = result?.headers?.["content-encoding"];
      expect(encoding).toBe(isPacked || body instanceof ReadableStream ? "gzip" : undefined);
    }
  });

  test("compresses what the browser accepts so", async () => {
    const packedFor = async (encoding: string) =>
      (await resultOf(html("x".repeat(5000)), { headers: { "accept-encoding": encoding } }))?.headers?.[
        "content-encoding"
      ] === "gzip";
    for (const encoding of ["gzip", "deflate, GZIP;q=0.5", "*", "br;q=1.0, gzip;q=0.001"]) {
      expect([encoding, await packedFor(encoding)]).toEqual([encoding, true]);
    }
    for (const encoding of ["", "identity", "gzip;q=0", "gzip; q=0.000, br", "xgzip, gzipped", "gzip;q=x"]) {
      expect([encoding, await packedFor(encoding)]).toEqual([encoding, false]);
    }
  });

  test("sends other types as bytes, and leaves the length to the API", async () => {
    const bytes = Buffer.from([0, 255, 254, 1]);
    const headers = { "content-type": "application/octet-stream", "content-length": "4" };
    expect(await resultOf({ status: 200, headers, body: bytes }, GZIP)).toEqual({
      statusCode: 200,
      headers: { "content-type": "application/octet-stream" },
      cookies: [],
      body: bytes.toString("base64"),
      isBase64Encoded: true,
    });
    const report = await resultOf(html("x".repeat(2000), { "content-length": "2000" }), GZIP);
    expect(Object.keys(report?.headers ?? {}).toSorted()).toEqual(["content-encoding", "content-type", "vary"]);
  });

  test("fits at its largest into the 6 MB of a function's answer", async () => {
    const result = await resultOf(html(noise(MOST_SENT_BYTES)), PLAIN);
    expect(JSON.stringify(result).length).toBeLessThan(6 * 1024 * 1024 - 100_000);
    expect(await resultOf(html(noise(MOST_SENT_BYTES + 1)), PLAIN)).toBeNull();
  });

  test.each([
    ["even when compressed", noise(100_000)],
    ["when unpacked", Buffer.alloc(1_000_000)],
  ])("is null if it is too large %s, and reading stops as soon as that is known", async (_, piece) => {
    const { asked, body } = pieces(1000, piece);
    expect(await resultOf(html(body), GZIP)).toBeNull();
    expect(asked.count).toBeLessThan(70);
  });

  test("may be larger than the limit if it compresses well", async () => {
    const text = Buffer.from("<tr><td>1.50</td></tr>\n".repeat(1000));
    const { body } = pieces(1000, text);
    const result = await resultOf(html(body), GZIP);
    const unpacked = gunzipSync(Buffer.from(result?.body ?? "", "base64"));
    expect([unpacked.length, unpacked.subarray(-text.length).equals(text)]).toEqual([text.length * 1000, true]);
  });
});
