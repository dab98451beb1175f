import { fc, test as prop } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { collectable, collectablePrefixes, sha256Of } from "../../../lambda/archive/keys.ts";
import { FillbookError, StoppedError } from "../../../lambda/core/errors.ts";
import {
  type AskedContracts,
  isLinear,
  learnContracts,
  readContracts,
  verifyContracts,
} from "../../../lambda/pack/make/contracts.ts";
import type { ProductSpecification, ServiceReader } from "../../../lambda/service/service.ts";
import { stubReader } from "../../cli/commands/stub-reader.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { bytes } from "../../support/store-text.ts";

const clock = fakeClock({ now: 0, auto: true });
const NO_ADDRESS = new FillbookError("usage", "product-specifications: the address of its host is not set");

/** A service that gives `answers` one after the other, and then refuses any further request. */
function service(...answers: readonly (readonly ProductSpecification[] | FillbookError)[]) {
  const left = [...answers];
  return stubReader({
    productSpecifications: () => {
      const answer = left.shift();
      if (answer === undefined) {
        return Promise.reject(new Error("asked once too often"));
      }
      return answer instanceof FillbookError ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
}

function ports(store: MemoryStore, reader: ServiceReader = service()): AskedContracts {
  const { signal } = new AbortController();
  return { account: "main", store, clock, signal, ask: () => reader.productSpecifications(signal) };
}

const placeOf = (store: MemoryStore) => ({ store, account: "main" });

function keysOf(store: MemoryStore): string[] {
  return [...store.snapshot().keys()];
}

const SPECS = [
  { market: "BTC-USD", contractType: "Vanilla" },
  { market: "ETH-USD" },
  { market: "XBT-USD", contractType: "Inverse" },
];

describe("the contract type of a market", () => {
  test("is requested once, kept, and from then on read from the archive", async () => {
    const store = memoryStore();
    const first = await learnContracts(ports(store, service(SPECS)), ["BTC-USD", "OLD-USD"]);
    const types = new Map([
      ["BTC-USD", "Vanilla"],
      ["OLD-USD", null], // requested, but the service no longer has it
      ["ETH-USD", null],
      ["XBT-USD", "Inverse"],
    ]);
    expect(first).toEqual({ types, notes: [] });
    const later = await learnContracts(ports(store), ["OLD-USD", "ETH-USD", "XBT-USD", "BTC-USD"]);
    expect(later).toEqual({ types, notes: [] });
    expect(await readContracts(placeOf(store))).toEqual({ seq: 1, types });
    expect(keysOf(store)).toEqual([expect.stringMatching(/^main\/contracts\/1-[0-9a-f]{64}\.json$/)]);
  });

  test("is recorded as published, in order of the markets", async () => {
    const store = memoryStore();
    await learnContracts(ports(store, service(SPECS)), ["BTC-USD"]);
    const [body = new Uint8Array()] = store.snapshot().values();
    expect(Buffer.from(body).toString()).toBe(
      '{"account":"main","format":"fillbook-contracts/1","markets":{"BTC-USD":"Vanilla","ETH-USD":null,"XBT-USD":"Inverse"},"seq":1}\n',
    );
  });

  test("never changes silently: the newest record has the new type, and a note names both", async () => {
    const store = memoryStore();
    await learnContracts(ports(store, service(SPECS)), ["BTC-USD"]);
    const changed = [
      { market: "BTC-USD", contractType: "Quanto" },
      { market: "ETH-USD", contractType: "Vanilla" },
      { market: "XBT-USD" },
    ];
    const { types, notes } = await learnContracts(ports(store, service(changed)), ["SOL-USD"]);
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
  });

  prop.prop([
    fc.uniqueArray(fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.option(fc.string())), {
      selector: ([market]) => market,
    }),
  ])("is read back unchanged, whatever the names are", async (said) => {
    const specs = said.map(([market, contractType]) => (contractType === null ? { market } : { market, contractType }));
    const store = memoryStore();
    const { types } = await learnContracts(ports(store, service(specs)), ["__proto__", "BTC-USD"]);
    expect(types).toEqual(new Map([["__proto__", null], ["BTC-USD", null], ...said]));
    expect((await readContracts(placeOf(store))).types).toEqual(types);
    expect((await verifyContracts(placeOf(store))).findings).toEqual([]);
  });
});

describe("a service that cannot be reached", () => {
  test("leaves the known types and a note; nothing is written", async () => {
    const store = memoryStore();
    await learnContracts(ports(store, service(SPECS)), ["BTC-USD"]);
    const before = keysOf(store);
    const needed = ["BTC-USD", ...Array.from({ length: 7 }, (_, at) => `M${at}-USD`)];
    const down = service(new FillbookError("incomplete", "gave up after 3 tries"));
    const { types, notes } = await learnContracts(ports(store, down), needed);
    expect([...types.keys()]).toEqual(["BTC-USD", "ETH-USD", "XBT-USD"]);
    expect(notes).toEqual([
      "the contract type of M0-USD, M1-USD, M2-USD, M3-USD, M4-USD and 2 more is not known: gave up after 3 tries",
    ]);
    expect(await learnContracts(ports(store, service(NO_ADDRESS)), needed)).toEqual({ types, notes: [] });
    expect(keysOf(store)).toEqual(before);
  });

  test.each([
    ["stopped", new StoppedError()],
    ["impossible anyway", NO_ADDRESS],
  ])("but a stopped run ends, and reports it, when the request is %s", async (_, answer) => {
    const stop = new AbortController();
    stop.abort();
    const stopped = { ...ports(memoryStore(), service(answer)), signal: stop.signal };
    await expect(learnContracts(stopped, ["BTC-USD"])).rejects.toThrow(StoppedError);
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
    expect(await readContracts(placeOf(store))).toEqual({ seq: 10, types: new Map([["BTC-USD", "new"]]) });
  });

  test("with the same number, by two runs at once: every reader chooses the same one, and the next record continues from it", async () => {
    const store = memoryStore();
    const keys = [await record(store, 1, { "A-USD": "Vanilla" }), await record(store, 1, { "B-USD": "Vanilla" })];
    const chosen = [...(await readContracts(placeOf(store))).types.keys()];
    expect(chosen).toEqual([keys[0] === keys.toSorted().at(-1) ? "A-USD" : "B-USD"]);
    const { types } = await learnContracts(ports(store, service([])), ["A-USD", "B-USD"]);
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
    store.delete(await record(store, 2, {}));
    await record(store, 3, {});
    expect(await verifyContracts(placeOf(store))).toEqual({
      checked: 2,
      findings: ["memory/main/contracts/: the records are not numbered consecutively from 1"],
    });
  });

  test("are never collected; an object with another name is not a record", async () => {
    const key = await record(memoryStore(), 1, {});
    expect(collectable("main", key)).toBeNull();
    expect(collectablePrefixes("main").some((prefix) => key.startsWith(prefix))).toBe(false);
    const store = memoryStore();
    for (const name of [
      "notes.json",
      `0-${"0".repeat(64)}.json`,
      `01-${"0".repeat(64)}.json`,
      `1-${"0".repeat(63)}.json`,
    ]) {
      store.put(`main/contracts/${name}`, bytes("{}"));
    }
    expect(await readContracts(placeOf(store))).toEqual({ seq: 0, types: new Map() });
    expect(await verifyContracts(placeOf(store))).toEqual({ checked: 0, findings: [] });
  });
});

// A type other than Vanilla has no PnL. A missing type is calculated as linear, with a note.
test.each([
  ["Vanilla", true],
  [null, true],
  [undefined, true],
  ["Inverse", false],
  ["vanilla", false],
  ["", false],
])("a contract of type %j is linear: %s", (type, expected) => {
  expect(isLinear(type)).toBe(expected);
});
