import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemRandom } from "../../../../lambda/core/random.ts";
import { readInputs } from "../../../../lambda/inputs/inputs.ts";
import { MOST_FILE_BYTES } from "../../../../lambda/web/hosts/aws/events.ts";
import { createPageFunction } from "../../../../lambda/web/hosts/aws/page-function.ts";
import { readable, seenIn, uploadBody } from "../../site/uploads.ts";
import { eventOf, textOf } from "./edge.ts";
import { CLAIMS, csrfIn, FORM, openPageWorld, type PageWorld, TOKEN } from "./page-world.ts";
import { FUNCTION_KEY, openHostedWorld } from "./world.ts";

const FUNDING = "time,market,amount,currency,source\n2025-01-02T00:00:00Z,BTC-USD,-1.5,USD,statement\n";
/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: of a synchronous request. */
const MOST_EVENT_BYTES = 6 * 1024 * 1024;

/** A file of so many bytes, in long lines: a million short ones take a second to read. */
function fundingOf(bytes: number): string {
  const row = (at: number) =>
    `${new Date(Date.UTC(2025, 0, 2, 0, 0, at)).toISOString()},BTC-USD,-1.5,USD,${"x".repeat(2000)}\n`;
  const rows = Math.floor((bytes - FUNDING.length) / row(0).length);
  return `${FUNDING}${Array.from({ length: rows }, (_, at) => row(at + 1)).join("")}`.padEnd(bytes, "\n");
}

type Answer = PageWorld["answer"];

/** Requests a page with a checked token. */
const visit = (answer: Answer, target: string, claims: Readonly<Record<string, unknown>> = CLAIMS) =>
  answer(eventOf(target, { claims, headers: TOKEN }));

/** The event of a form with a file, in base64 as the API sends it. */
async function uploadEvent(answer: Answer, text: string, claims: Readonly<Record<string, unknown>> = CLAIMS) {
  const page = textOf(await visit(answer, "/a/main/files"));
  const fields = { csrf: csrfIn(page), seen: seenIn(page) };
  const { type, body } = await uploadBody({ name: "funding.csv", text, fields });
  const headers = { ...TOKEN, ...FORM, "content-type": type };
  return eventOf("/a/main/files", { method: "POST", claims, headers, body: body.toString() });
}

describe("a file in an event", () => {
  let world: PageWorld;
  beforeEach(async () => {
    world = await openPageWorld({
      inputLimits: { mostFileBytes: MOST_FILE_BYTES, mostTotalBytes: 2 * MOST_FILE_BYTES },
    });
  });
  afterEach(() => world.pool.stop());
  const kept = () => world.ports.store.snapshot().get("main/inputs/funding.csv");

  test("may be as large as the limit, which fits an event; with one byte more, the form tells the limit", async () => {
    const event = await uploadEvent(world.answer, fundingOf(MOST_FILE_BYTES));
    const head = 20_000; // claims, cookies and headers
    expect(JSON.stringify(event).length + head).toBeLessThan(MOST_EVENT_BYTES);
    expect(await world.answer(event)).toMatchObject({ statusCode: 303 });
    expect(kept()?.length).toBe(MOST_FILE_BYTES);
    const large = await world.answer(await uploadEvent(world.answer, fundingOf(MOST_FILE_BYTES + 1)));
    expect([large.statusCode, readable(textOf(large))]).toEqual([400, expect.stringContaining("larger than 4.5 MB")]);
    const larger = await world.answer(await uploadEvent(world.answer, fundingOf(MOST_FILE_BYTES + 65_536)));
    expect([larger.statusCode, readable(textOf(larger))]).toEqual([413, expect.stringContaining("larger than 4.5 MB")]);
    expect(kept()?.length).toBe(MOST_FILE_BYTES);
  });
});

test("on S3, the account's own session writes it, with conditions, where an export finds it", async () => {
  const hosted = await openHostedWorld();
  await hosted.storeOf("assets", "").createNew("accounts.json", Buffer.from('["main","other"]'));
  const ask = createPageFunction({
    settings: hosted.settings,
    ports: hosted.open(),
    secret: () => Promise.reject(new Error("nobody signs in here")),
    clock: hosted.clock,
    random: systemRandom,
  });
  const errors: unknown[] = [];
  const log = { info: () => undefined, error: (message: string, fields: unknown) => errors.push([message, fields]) };
  const answer: Answer = (event) => ask(event, log);
  expect(await answer(await uploadEvent(answer, FUNDING))).toMatchObject({ statusCode: 303 });
  const second = FUNDING.replace("-1.5", "-2.5");
  expect(await answer(await uploadEvent(answer, second))).toMatchObject({ statusCode: 303 });
  expect(errors).toEqual([]);

  const store = hosted.storeOf("archive");
  const inputs = await readInputs({ kind: "store", store, account: "main" }, "UTC");
  expect(inputs.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
    ["funding.csv", second],
  ]);
  const puts = hosted.asked().filter(({ operation }) => operation === "PutObject");
  expect(puts).toHaveLength(2);
  expect(puts.filter(({ ifMatch, ifNoneMatch }) => ifMatch === undefined && ifNoneMatch === undefined)).toEqual([]);
  expect(puts.filter(({ key = "" }) => !/^fillbook\/main\/inputs\//.test(key))).toEqual([]);
  // The function's own role has written none of them.
  expect(puts.filter(({ accessKeyId }) => accessKeyId === FUNCTION_KEY)).toEqual([]);
  const link = await visit(answer, "/a/main/files/file?name=funding.csv");
  const given = await fetch(String(link.headers?.["location"]));
  expect([given.status, given.headers.get("content-type"), await given.text()]).toEqual([
    200,
    "application/octet-stream",
    second,
  ]);
});
