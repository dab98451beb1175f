import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { startCli } from "../cli/child.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { historyItems } from "../emulator/history.ts";
import { startEmulator } from "../emulator/server.ts";
import { DEMO_SEED, makeDemoAccount } from "../programs/demo/account/account.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { makeBench, NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { readArchive } from "./reader.ts";

// docs/archive-format.md is enough to read an archive: a reader written from it finds what the service has.

const folder = mkdtempSync(join(tmpdir(), "fillbook-format-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FORMAT = readFileSync(join(import.meta.dirname, "../../docs/archive-format.md"), "utf8");

test("the reader imports none of fillbook's own code", () => {
  for (const file of ["reader.ts", "content.ts", "objects.ts"]) {
    expect(readFileSync(join(import.meta.dirname, file), "utf8")).not.toMatch(/from "\.\.\//);
  }
});

test("the document names the versions that are written", () => {
  for (const file of ["head.ts", "manifest.ts", "contracts.ts"]) {
    const source = readFileSync(join(import.meta.dirname, "../../lambda/archive", file), "utf8");
    const [, format = "none"] = /_FORMAT = "(fillbook-[a-z]+\/\d+)"/.exec(source) ?? [];
    expect(FORMAT).toContain(`\`${format}\``);
  }
});

test("the document has every field that the checkpoint of a manifest may have", () => {
  const source = readFileSync(join(import.meta.dirname, "../../lambda/archive/manifest.ts"), "utf8");
  const [, body = ""] = /export interface Checkpoint \{\n([\s\S]*?)\n\}/.exec(source) ?? [];
  const fields = [...body.matchAll(/readonly (\w+\??):/g)].map(([, field]) => field);
  expect(fields.length).toBeGreaterThan(20);
  expect(fields.filter((field) => !FORMAT.includes(`\`${field}\``))).toEqual([]);
});

describe("the demo's archive, read from the document alone", () => {
  const { history } = makeDemoAccount(DEMO_SEED);
  const store = join(folder, "demo");

  beforeAll(async () => {
    const service = await startEmulator({ history });
    const environment = {
      FILLBOOK_ACCOUNT_URL: service.accountUrl,
      FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
      FILLBOOK_STORE: store,
      FILLBOOK_TOKEN: SAMPLE_TOKEN,
    };
    const { ended } = startCli(["export", "--period", "us-2025", "--quiet"], environment);
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
    await service.close();
  });

  test("holds every fill of the service, with each field as it was sent", async () => {
    const { fills, coverage, pages, contracts } = await readArchive(store, "main");
    const sent = [...historyItems(history)].map((item) => [
      ...[item.matchId, item.orderId, item.txCreated, item.filledAt ?? null, item.market, item.orderType],
      ...[item.executionType, item.tradeType, item.fillType, item.triggerType, item.transactionHash],
      ...[item.quantity, item.price, item.fees, item.triggerPrice, null],
    ]);
    expect(fills).toHaveLength(sent.length);
    expect(fills.map(({ content }) => JSON.stringify(content)).sort()).toEqual(
      sent.map((one) => JSON.stringify(one)).sort(),
    );
    expect(coverage).toHaveLength(1);
    expect(pages).toBeGreaterThan(sent.length / 100);
    expect(contracts).toMatchObject({ "BTC-USD": "Vanilla", "DOGE-USD": "Inverse" });
  });

  test("is refused if one of its bytes changes", async () => {
    const head = join(store, "main/head.json");
    const { manifest } = JSON.parse(readFileSync(head, "utf8"));
    const object = join(store, `main/manifests/${manifest.seq}-${manifest.sha256}.json`);
    const before = readFileSync(object, "utf8");
    writeFileSync(object, before.replace('"fills":7299', '"fills":7298'));
    await expect(readArchive(store, "main")).rejects.toThrow("is not what its name says");
    writeFileSync(object, before);
  });
});

describe("an archive of odd fills and many windows, read from the document alone", () => {
  const store = join(folder, "odd");
  const FROM = Date.UTC(2025, 0, 1);
  const STEP = 6 * HOUR_MS;
  const { checkpoint } = emptyManifest("main");

  /** Fills of every form that the type allows, at times that can be filed. */
  const odd: readonly PlainFill[] = fc
    .sample(arbitraryFill, { numRuns: 300, seed: 23 })
    .map((fill, at) => ({ ...fill, matchId: `${fill.matchId}${at}`, txCreated: FROM + at * STEP }))
    .map((fill) => ({ ...fill, filledAt: fill.filledAt === null ? null : fill.txCreated + 5 }));
  /** A later version keeps the fields of the earlier one, which may have an empty `extra`. */
  const extraAfter = ({ extra }: PlainFill) => (Object.keys(extra ?? {}).length === 0 ? null : extra);
  const changed = odd.slice(0, 20).map((fill) => ({ ...fill, fee: "7.10", extra: extraAfter(fill) }));
  const late = makeFill({ matchId: "late", txCreated: FROM + DAY_MS + 1 });

  beforeAll(async () => {
    const { job } = makeBench({ history: [], job: { store: openFolderStore(store) } });
    const session = await ArchiveSession.open(job, () => undefined);
    const window = (at: number) => ({
      ...{ from: FROM + at * STEP, to: FROM + (at + 1) * STEP, pages: 1, duplicates: 0 },
      ...({ ended: "no-last", pagesHash: "ab", rawResponses: [] } as const),
    });
    const add = (fills: readonly PlainFill[], windows: readonly number[]) =>
      session.commit({ incomingFills: fills, rawResponses: [], finished: windows.map(window), checkpoint });
    for (let at = 0; at < odd.length; at += 50) {
      await add(
        odd.slice(at, at + 50),
        Array.from({ length: 50 }, (_, place) => at + place),
      );
    }
    await add([...changed, late], [4]);
    await session.release({ endedAt: NOW, complete: true, problem: null });
  });

  test("holds each of them as it was sent, in separate nodes, with both versions of changed fills", async () => {
    const { fills, storedNodes, restatements } = await readArchive(store, "main");
    const current = [...changed, ...odd.slice(20), late].map(contentOf);
    expect(fills.map(({ content }) => JSON.stringify(content)).sort()).toEqual(current.sort());
    expect(storedNodes).toBeGreaterThan(3);
    expect(restatements.filter(({ kind }) => kind === "late")).toMatchObject([{ before: null, after: late }]);
    expect(restatements).toHaveLength(21);
  });
});

/** Written a second time here, so that the test does not rely on the reader's own code. */
function contentOf(fill: PlainFill): string {
  const { matchId, orderId, txCreated, filledAt, market, side, liquidity, tradeType, fillType, triggerType } = fill;
  const { transactionHash, quantity, price, fee, triggerPrice, extra } = fill;
  const pairs = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) {
      return value;
    }
    return Array.isArray(value)
      ? value.map(pairs)
      : Object.keys(value)
          .sort()
          .map((name) => [name, pairs((value as Record<string, unknown>)[name])]);
  };
  return JSON.stringify([
    ...[matchId, orderId, txCreated, filledAt, market, side, liquidity, tradeType, fillType, triggerType],
    ...[transactionHash, quantity, price, fee, triggerPrice, pairs(extra)],
  ]);
}
