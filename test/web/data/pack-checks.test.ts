import { expect, test } from "vitest";
import { noteCheck } from "../../../lambda/archive/checks.ts";
import { checksWithPacks, sinceMade } from "../../../lambda/web/data/pack-checks.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { fakePorts, NOW, testedSite, VERSION } from "../site/fake-site.ts";

const CHECK = { period: null, checkedAt: 2000, seq: 1, ok: true, checked: 9, findings: 0 };

test("a check of files counts for the packs that it read, one with findings for all; rewalks read no packs", async () => {
  const [store, packStore] = [memoryStore("archive"), memoryStore("packs")];
  const stores = { account: "main", store, packStore };
  const checks = (holder: "archive" | "packs") => checksWithPacks(stores, { seq: 1 }, holder);
  await noteCheck(store, "main", { ...CHECK, kind: "files" });
  await noteCheck(store, "main", { ...CHECK, kind: "rewalk" });
  expect(await checks("archive")).toMatchObject({ files: { ok: true }, rewalk: { ok: true } });
  expect(await checks("packs")).toMatchObject({ files: null, rewalk: { ok: true } });
  await noteCheck(store, "main", { ...CHECK, kind: "files", packStore: packStore.location });
  expect(await checks("packs")).toMatchObject({ files: { ok: true } });
  await noteCheck(store, "main", { ...CHECK, kind: "files", checkedAt: 3000, ok: false, findings: 1 });
  expect(await checks("packs")).toMatchObject({ files: { ok: false } });
});

test("a check does not count for a pack that was made after it", () => {
  const check = { ...CHECK, kind: "files" } as const;
  expect(sinceMade(check, { madeAt: 2000 })).toBe(check);
  expect(sinceMade(check, { madeAt: 2001 })).toBeNull();
});

test.each([
  { checkedAt: NOW - 1, said: "Files checked: never." },
  { checkedAt: NOW, said: "all unchanged." },
])("a pack's page, of a check at $checkedAt: $said", async ({ checkedAt, said }) => {
  const ports = fakePorts();
  await noteCheck(ports.store, "main", { ...CHECK, kind: "files", seq: 0, checkedAt });
  const { body } = await testedSite(ports).ask(`/a/main/p/us-2025/${VERSION}`);
  expect(body).toContain(said);
});
