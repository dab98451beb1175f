import { expect, onTestFinished, test } from "vitest";
import { MOST_FILE_BYTES } from "../../../../lambda/web/hosts/aws/hosted-ports.ts";
import { FUNDING, readable, uploadBody } from "../../site/uploads.ts";
import { eventOf, textOf } from "./edge.ts";
import { CLAIMS, FORM, openPageWorld, TOKEN } from "./page-world.ts";

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: of a synchronous request. */
const MOST_EVENT_BYTES = 6 * 1024 * 1024;

/** A file of so many bytes, in long lines: a million short ones take a second to read. */
function fundingOf(bytes: number): string {
  const row = (at: number) =>
    `${new Date(Date.UTC(2025, 0, 2, 0, 0, at)).toISOString()},BTC-USD,-1.5,USD,${"x".repeat(2000)}\n`;
  const rows = Math.floor((bytes - FUNDING.length) / row(0).length);
  return `${FUNDING}${Array.from({ length: rows }, (_, at) => row(at + 1)).join("")}`.padEnd(bytes, "\n");
}

/** The event of a form with a file, in base64 as the API sends it. */
async function uploadEvent(text: string) {
  const { type, body } = await uploadBody({ name: "funding.csv", text });
  const headers = { ...TOKEN, ...FORM, "content-type": type };
  return eventOf("/a/main/files", { method: "POST", claims: CLAIMS, headers, body: body.toString() });
}

// recorded.system.test.ts uploads to S3: with conditions, by the account's own session.
test("a file may be as large as the limit, which fits an event; a larger one is refused, and the limit told", async () => {
  const world = await openPageWorld({ mostFileBytes: MOST_FILE_BYTES });
  onTestFinished(() => world.pool.stop());
  const event = await uploadEvent(fundingOf(MOST_FILE_BYTES));
  const head = 20_000; // claims, cookies and headers
  expect(JSON.stringify(event).length + head).toBeLessThan(MOST_EVENT_BYTES);
  expect(await world.answer(event)).toMatchObject({ statusCode: 303 });
  const large = await world.answer(await uploadEvent(fundingOf(MOST_FILE_BYTES + 65_536)));
  expect([large.statusCode, readable(textOf(large))]).toEqual([413, expect.stringContaining("than 4.5 MB")]);
  expect(world.ports.store.snapshot().get("main/inputs/funding.csv")?.length).toBe(MOST_FILE_BYTES);
});
