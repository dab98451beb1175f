import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkedBytes } from "../../../lambda/web/pack-bytes.ts";

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield await Promise.resolve(Buffer.from(text));
  }
}

const sha256 = createHash("sha256").update("one two").digest("hex");
const LISTED = { path: "fills.csv", bytes: 7, sha256 };

async function passed(source: AsyncIterable<Uint8Array>, listed: Parameters<typeof checkedBytes>[1]) {
  let text = "";
  try {
    for await (const chunk of checkedBytes(source, listed)) {
      text += Buffer.from(chunk).toString();
    }
    return { text, problem: null };
  } catch (error) {
    return { text, problem: error instanceof Error ? error.message : error };
  }
}

describe("bytes that are hashed as they pass", () => {
  test("go through as they are", async () => {
    expect(await passed(chunks("one", "", " two", ""), LISTED)).toEqual({ text: "one two", problem: null });
    expect(await passed(chunks(), { ...LISTED, bytes: 0, sha256: null })).toEqual({ text: "", problem: null });
  });

  test.each<[string, readonly string[], RegExp]>([
    [
      "with another letter",
      ["one", " twо".slice(0, 3), "0"],
      /^fills.csv is damaged: its sha256 is [0-9a-f]{64}, and /,
    ],
    ["cut off", ["one", " tw"], /^fills.csv has 6 bytes where 7 are listed$/],
    ["with more at their end", ["one two", "!"], /^fills.csv has 8 bytes where 7 are listed$/],
  ])("%s never come out whole", async (_, texts, says) => {
    const { text, problem } = await passed(chunks(...texts), LISTED);
    expect(problem).toMatch(says);
    expect(text).toBe(texts.slice(0, -1).join(""));
  });
});
