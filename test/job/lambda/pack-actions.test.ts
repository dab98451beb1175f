import { beforeAll, describe, expect, test } from "vitest";
import type { CommandContext } from "../../../lambda/cli/commands/command.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import type { RunContext } from "../../../lambda/job/context.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { makeHistory } from "../../emulator/history.ts";
import { exportRequest } from "../../support/exports.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { sliceOf } from "./slices.ts";

// Actions on existing packs and archives. They send the service no request and read no token.

const PERIOD = parsePeriod("month-2026-01");
const FROM = PERIOD.from - 3 * DAY_MS;

let job: RunContext;
let objects: ReadonlyMap<string, Uint8Array>;

beforeAll(async () => {
  const made = memoryStore();
  const history = makeHistory({ seed: 3, fills: 60, from: FROM, to: NOW });
  ({ job } = makeBench({ history, job: { store: made } }));
  await exportPack(job, exportRequest(PERIOD));
  objects = made.snapshot();
});

function kept() {
  const store = memoryStore();
  for (const [key, body] of objects) {
    store.put(key, body);
  }
  return store;
}

function slice(event: object, store: Store, more: Partial<Pick<CommandContext, "say" | "signal">> = {}) {
  const reader = new Proxy(job.reader, {
    get(target, name) {
      if (name === "counts") {
        return target.counts;
      }
      throw new Error(`the service is asked: ${String(name)}`);
    },
  });
  const requireAccountAccess = () => Promise.reject(new Error("a token is read"));
  const own = { ...job, store, reader, signal: more.signal ?? job.signal };
  return sliceOf(event, own, { requireAccountAccess, ...more });
}

describe("verify", () => {
  test.each([{}, { period: PERIOD.name }])("of intact data is complete, and counts what it read: %j", async (asked) => {
    expect(await slice({ action: "verify", ...asked }, kept())).toMatchObject({
      account: "main",
      ok: true,
      checked: expect.any(Number),
      findings: [],
      complete: true,
    });
  });

  test("that takes longer than a slice fails, and says what else can be done", async () => {
    await expect(slice({ action: "verify" }, kept(), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: "incomplete",
      message: "the archive cannot be verified in the time that the function may run",
      hint: "verify one period at a time, or use the command line",
    });
  });

  test("of damaged data fails, and names the first finding", async () => {
    const store = kept();
    const damaged = [...objects.keys()].filter((key) => /\/packs\/.*\.csv$/.test(key));
    for (const key of damaged) {
      store.put(key, Buffer.from("x"));
    }
    const error = await slice({ action: "verify" }, store).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "untrusted", hint: expect.stringContaining("export again") });
    const { message } = error as Error;
    expect(message).toContain(`${damaged.length} of the checked objects cannot be trusted`);
    expect(damaged.filter((key) => message.includes(key))).toHaveLength(3);
  });
});
