import { describe, expect, test } from "vitest";
import { findPack } from "../../../lambda/web/data/catalogue.ts";
import { packPeriods } from "../../../lambda/web/data/versions.ts";
import { openPackFile } from "../../../lambda/web/pack-bytes.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { completeness, latestText, listAll, writeByHand } from "./hand-written.ts";

// A pack store that was set after packs had been made. The older packs are in the archive's store.

const [OLD, NEW] = ["month-2025-03", "month-2025-04"];
const [V1, V2, V3] = ["1111111111111111", "2222222222222222", "3333333333333333"];

/** Two stores with one clock: each write is a second after the last. */
function bench() {
  let now = 0;
  const tick = () => {
    now += 1000;
    return now;
  };
  const [store, packStore] = [memoryStore("archive", tick), memoryStore("packs", tick)];
  const stores = { account: "main", store, packStore };
  const write = async (where: "archive" | "packs", period: string, version: string, text = "a") => {
    const files = { "completeness.json": completeness(period), "fills.csv": text };
    await writeByHand(where === "archive" ? store : packStore, { period, version, files });
  };
  const name = (where: "archive" | "packs", period: string, version: string) =>
    (where === "archive" ? store : packStore).put(`main/packs/${period}/latest.json`, latestText(version));
  const shown = async (period?: string) =>
    (await listAll(stores, period)).map(({ version, latest, store: where }) => [version, latest, where]);
  return { store, packStore, stores, write, name, shown };
}

describe("packs of both stores", () => {
  test("are listed by period, each with its store", async () => {
    const { stores, write, shown } = bench();
    await write("archive", OLD, V1);
    await write("packs", NEW, V2);
    expect(await packPeriods(stores)).toEqual([OLD, NEW]);
    expect(await shown()).toEqual([
      [V1, true, "archive"],
      [V2, true, "packs"],
    ]);
  });

  test("of one period are listed together, newest first; the newest latest.json names the latest version", async () => {
    const { write, name, shown } = bench();
    await write("archive", OLD, V1);
    await write("archive", OLD, V2);
    name("archive", OLD, V1);
    // It was made again: it is the newest.
    expect(await shown(OLD)).toEqual([
      [V1, true, "archive"],
      [V2, false, "archive"],
    ]);
    await write("packs", OLD, V3);
    name("packs", OLD, V3);
    const both = await shown(OLD);
    expect(both).toEqual([
      [V3, true, "packs"],
      [V2, false, "archive"],
      [V1, false, "archive"],
    ]);
    // The pack store was removed from the settings, and the period was made again.
    name("archive", OLD, V2);
    expect((await shown(OLD)).filter(([, latest]) => latest)).toEqual([[V2, true, "archive"]]);
  });

  test("in both stores are shown once, from the pack store, unless they are unfinished there", async () => {
    const { packStore, stores, write, shown } = bench();
    await write("packs", OLD, V1, "held");
    await write("archive", OLD, V1, "older");
    expect(await shown()).toEqual([[V1, true, "packs"]]);
    const textOf = async () => {
      const pack = await findPack(stores, OLD, V1);
      const file = pack?.files.find(({ path }) => path === "fills.csv");
      return pack && file
        ? Buffer.concat(await Array.fromAsync(await openPackFile(stores, pack, file))).toString()
        : null;
    };
    expect(await textOf()).toBe("held");
    packStore.delete(`main/packs/${OLD}/${V1}/SHA256SUMS`);
    expect(await shown()).toEqual([[V1, true, "archive"]]);
    expect(await textOf()).toBe("older");
  });
});
