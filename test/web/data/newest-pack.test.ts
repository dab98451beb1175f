import { describe, expect, test } from "vitest";
import { inputFileOf } from "../../../lambda/web/data/input-files.ts";
import { inputsSince } from "../../../lambda/web/data/inputs-since.ts";
import { accountPacks, leadingPeriod } from "../../../lambda/web/data/newest-pack.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { completeness, storesIn, writeByHand } from "./hand-written.ts";

const NOW = Date.UTC(2026, 10, 26);
const VERSION = "0123456789abcdef";

describe("the pack that leads an account", () => {
  const leading = (...names: readonly string[]) =>
    leadingPeriod(
      names.map((name) => ({ name, stores: [] })),
      NOW,
    )?.name ?? null;

  test("is of the newest tax year that is over, however new an empty month is; else of the newest period", () => {
    expect(leading("month-2026-10", "us-2025", "us-2024")).toBe("us-2025");
    expect(leading("us-2026", "us-2025")).toBe("us-2025");
    expect(leading("month-2026-10", "month-2026-09")).toBe("month-2026-10");
    expect(leading("2026-02-01_2026-03-01", "uk-2024-25")).toBe("uk-2024-25");
    expect(leading()).toBeNull();
  });

  test("states its figures", async () => {
    const net = [{ currency: "USD", amount: "-1.5", funding: "included", partial: true }];
    const store = memoryStore();
    const files = { "completeness.json": completeness("us-2025", { accounts: { net_realised_pnl: net } }) };
    await writeByHand(store, { period: "us-2025", version: VERSION, files });
    const { leading: one, periods } = await accountPacks(storesIn(store), NOW);
    expect(periods).toEqual(["us-2025"]);
    expect(one?.claim?.nets).toEqual([
      { currency: "USD", net: -15n * 10n ** 35n, isFundingIncluded: true, isPartial: true },
    ]);
  });
});

describe("the user's files since a pack was made", () => {
  const MADE = 1000;
  const store = memoryStore();
  const put = (name: string, text: string, modifiedMs: number) => {
    const bytes = Buffer.from(text);
    store.put(`main/inputs/${name}`, bytes);
    return { name, bytes: bytes.length, modifiedMs };
  };
  const listed = [
    put("balances.csv", "as it was, sent again", 2000),
    put("funding.csv", "new", 2000),
    put("marks.csv", "changed", 2000),
    put("transfers.csv", "from the beginning", 500),
    put("notes.txt", "which no pack takes", 2000),
  ];
  const inputs = [
    { name: "balances.csv", sha256: inputFileOf("", Buffer.from("as it was, sent again")).sha256 },
    { name: "marks.csv", sha256: inputFileOf("", Buffer.from("before")).sha256 },
    { name: "rates/ecb.csv", sha256: "x" },
  ];

  test("are those that it lacks or has with other content, those that it did not use, and those that are gone", async () => {
    const pack = { madeAt: MADE };
    expect(await inputsSince(storesIn(store), { pack, claim: { inputs } }, listed, 1000)).toEqual({
      uploaded: ["funding.csv", "marks.csv"],
      unused: ["transfers.csv"],
      gone: ["rates/ecb.csv"],
    });
    expect(await inputsSince(storesIn(store), { pack, claim: null }, listed, 1000)).toEqual({
      uploaded: [],
      unused: [],
      gone: [],
    });
  });
});
