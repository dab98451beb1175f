import { fc, test as prop } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { sha256Of } from "../../../lambda/archive/keys.ts";
import { FillbookError, StoppedError } from "../../../lambda/core/errors.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import {
  type AskedContracts,
  isLinear,
  learnContracts,
  readContracts,
  verifyContracts,
} from "../../../lambda/pack/make/contracts.ts";
import type { ProductSpecification } from "../../../lambda/service/service.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { bytes } from "../../support/store-text.ts";

const clock = fakeClock({ now: 0, auto: true });
const NEVER = new AbortController().signal;
const NO_ADDRESS = new FillbookError("usage", "product-specifications: the address of its host is not set");

type Said = readonly ProductSpecification[] | FillbookError | undefined;

/** Learns the types of `needed` from a service that says this; undefined: it must not be asked. */
function learn(store: MemoryStore, said: Said, needed: readonly string[], more: Partial<AskedContracts> = {}) {
  const ask = () => {
    expect(said).toBeDefined();
    return said instanceof FillbookError ? Promise.reject(said) : Promise.resolve(said ?? []);
  };
  return learnContracts({ account: "main", store, clock, signal: NEVER, isMet: true, ask, ...more }, needed);
}

const placeOf = (store: MemoryStore) => ({ store, account: "main" });
const keysOf = (store: MemoryStore): string[] => [...store.snapshot().keys()];

const SPECS = [
  { market: "BTC-USD", contractType: "Vanilla" },
  { market: "ETH-USD" },
  { market: "XBT-USD", contractType: "Inverse" },
];

async function learned(): Promise<MemoryStore> {
  const store = memoryStore();
  await learn(store, SPECS, ["BTC-USD"]);
  return store;
}

describe("the contract type of a market", () => {
  test("is requested once, kept as published, and from then on read from the archive", async () => {
    const store = memoryStore();
    const types = new Map([
      ["BTC-USD", "Vanilla"],
      ["OLD-USD", null], // requested, but the service no longer has it
      ["ETH-USD", null],
      ["XBT-USD", "Inverse"],
    ]);
    expect(await learn(store, SPECS, ["BTC-USD", "OLD-USD"])).toEqual({ types, notes: [] });
    expect(await learn(store, undefined, ["OLD-USD", "ETH-USD", "XBT-USD", "BTC-USD"])).toEqual({ types, notes: [] });
    expect(await readContracts(placeOf(store))).toEqual({ seq: 1, types, askedAt: 0 });
    const [[key, body = new Uint8Array()] = [], ...others] = store.snapshot();
    expect([key, others]).toEqual([expect.stringMatching(/^main\/contracts\/1-[0-9a-f]{64}\.json$/), []]);
    expect(Buffer.from(body).toString()).toBe(
      '{"account":"main","askedAt":0,"format":"fillbook-contracts/1","markets":{"BTC-USD":"Vanilla","ETH-USD":null,"OLD-USD":null,"XBT-USD":"Inverse"},"seq":1}\n',
    );
  });

  test("never changes silently: a new record has the new type, a note names both, and the old record stays", async () => {
    const store = await learned();
    const [old = ""] = keysOf(store);
    const changed = [
      { market: "BTC-USD", contractType: "Quanto" },
      { market: "ETH-USD", contractType: "Vanilla" },
      { market: "XBT-USD" },
    ];
    const { types, notes } = await learn(store, changed, ["SOL-USD"]);
    expect(notes).toEqual([
      'the contract type of BTC-USD changed from "Vanilla" to "Quanto"',
      'the contract type of ETH-USD changed from not given to "Vanilla"',
    ]);
    expect([...types].sort()).toEqual([
      ["BTC-USD", "Quanto"],
      ["ETH-USD", "Vanilla"],
      ["SOL-USD", null],
      ["XBT-USD", "Inverse"], // a type that the service no longer gives is kept
    ]);
    expect((await readContracts(placeOf(store))).types).toEqual(types);
    expect(keysOf(store)).toEqual([old, expect.stringMatching(/\/2-/)]);
  });

  test("is asked again after a week, by a run that has met the service: a change is noted", async () => {
    const store = await learned();
    const later = (days: number, said: Said, isMet: boolean) =>
      learn(store, said, [], { isMet, clock: { ...clock, now: () => days * DAY_MS } });
    const changed = [{ market: "ETH-USD", contractType: "Inverse" }];
    expect(await later(7, undefined, true)).toMatchObject({ notes: [] });
    expect(await later(8, undefined, false)).toMatchObject({ notes: [] });
    expect(await later(8, changed, true)).toMatchObject({
      notes: ['the contract type of ETH-USD changed from not given to "Inverse"'],
    });
    expect(await later(15, undefined, true)).toMatchObject({ notes: [] });
  });

  prop.prop([
    fc.uniqueArray(fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.option(fc.string())), {
      selector: ([market]) => market,
    }),
  ])("is read back unchanged, whatever the names are", async (said) => {
    const specs = said.map(([market, contractType]) => (contractType === null ? { market } : { market, contractType }));
    const store = memoryStore();
    const { types } = await learn(store, specs, ["__proto__", "BTC-USD"]);
    expect(types).toEqual(new Map([["__proto__", null], ["BTC-USD", null], ...said]));
    expect((await readContracts(placeOf(store))).types).toEqual(types);
    expect((await verifyContracts(placeOf(store))).findings).toEqual([]);
  });

  test("stays as it is known, with a note, while the service cannot be reached; nothing is written", async () => {
    const store = await learned();
    const before = keysOf(store);
    const needed = ["BTC-USD", ...Array.from({ length: 7 }, (_, at) => `M${at}-USD`)];
    const { types, notes } = await learn(store, new FillbookError("incomplete", "gave up after 3 tries"), needed);
    expect([...types.keys()]).toEqual(["BTC-USD", "ETH-USD", "XBT-USD"]);
    expect(notes).toEqual([
      "the contract type of M0-USD, M1-USD, M2-USD, M3-USD, M4-USD and 2 more is not known: gave up after 3 tries",
    ]);
    expect(await learn(store, NO_ADDRESS, needed)).toEqual({ types, notes: [] });
    expect(keysOf(store)).toEqual(before);
  });

  test.each([new StoppedError(), NO_ADDRESS])("a stopped run ends, and reports it: %s", async (answer) => {
    await expect(learn(memoryStore(), answer, ["BTC-USD"], { signal: AbortSignal.abort() })).rejects.toThrow(
      StoppedError,
    );
  });
});

describe("records", () => {
  async function record(store: MemoryStore, seq: number, markets: unknown, account = "main"): Promise<string> {
    const body = bytes(JSON.stringify({ format: "fillbook-contracts/1", account, seq, markets }));
    const key = `main/contracts/${seq}-${sha256Of(body)}.json`;
    await store.createNew(key, body);
    return key;
  }

  test("are ordered by number, not by name: 10 is newer than 9", async () => {
    const store = memoryStore();
    await record(store, 9, { "BTC-USD": "old" });
    await record(store, 10, { "BTC-USD": "new" });
    expect(await readContracts(placeOf(store))).toMatchObject({ seq: 10, types: new Map([["BTC-USD", "new"]]) });
  });

  test("with the same number, by two runs at once: every reader chooses the same one, and the next record continues from it", async () => {
    const store = memoryStore();
    const keys = [await record(store, 1, { "A-USD": "Vanilla" }), await record(store, 1, { "B-USD": "Vanilla" })];
    const chosen = [...(await readContracts(placeOf(store))).types.keys()];
    expect(chosen).toEqual([keys[0] === keys.toSorted().at(-1) ? "A-USD" : "B-USD"]);
    const { types } = await learn(store, [], ["A-USD", "B-USD"]);
    expect([...types.keys()].sort()).toEqual(["A-USD", "B-USD"]);
    expect((await readContracts(placeOf(store))).seq).toBe(2);
    expect((await verifyContracts(placeOf(store))).findings).toEqual([]);
  });

  const unreadable = /is not a contracts record that this version can read/;

  test.each<[string, (store: MemoryStore) => Promise<unknown>, RegExp]>([
    [
      "a changed byte",
      async (store) => store.put(await record(store, 1, { "BTC-USD": "Vanilla" }), bytes("{}")),
      /main\/contracts\/1-.* is damaged/,
    ],
    ["of another account", (store) => record(store, 1, {}, "other"), unreadable],
    ["types that are not text", (store) => record(store, 1, { "A-USD": 1 }), unreadable],
    ["no markets", (store) => record(store, 1, undefined), unreadable],
  ])("%s: not trusted, and found by verify", async (_, write, says) => {
    const store = memoryStore();
    await write(store);
    const message = expect.stringMatching(says);
    await expect(readContracts(placeOf(store))).rejects.toMatchObject({ kind: "untrusted", message });
    expect(await verifyContracts(placeOf(store))).toEqual({ checked: 1, findings: [message] });
  });

  test("verify finds a missing record between others", async () => {
    const store = memoryStore();
    await record(store, 1, {});
    await record(store, 3, {});
    expect(await verifyContracts(placeOf(store))).toEqual({
      checked: 2,
      findings: ["memory/main/contracts/: the records are not numbered consecutively from 1"],
    });
  });

  test("an object with another name is not a record", async () => {
    const store = memoryStore();
    for (const name of ["notes", `0-${"0".repeat(64)}`, `01-${"0".repeat(64)}`, `1-${"0".repeat(63)}`]) {
      store.put(`main/contracts/${name}.json`, bytes("{}"));
    }
    expect(await readContracts(placeOf(store))).toMatchObject({ seq: 0, types: new Map() });
    expect(await verifyContracts(placeOf(store))).toEqual({ checked: 0, findings: [] });
  });
});

test("a type other than Vanilla has no PnL; a missing one is calculated as linear, with a note", () => {
  const types = ["Vanilla", null, undefined, "Inverse", "vanilla", ""];
  expect(types.map(isLinear)).toEqual([true, true, true, false, false, false]);
});
