import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, NOW, show, sessionsOf, memoryStore, prng, fillAt } = T;
for (const seed of [1, 2, 3, 4]) for (const hours of [1, 24 * 30]) {
  const r = prng(seed).next;
  const fills = Array.from({ length: 800 }, () => fillAt(NOW - 60 * DAY_MS + r() * hours * HOUR_MS));
  await show(`A16 unordered, cap = page = 20, short pages, ${hours} h`, { fills, page: 20, order: "mixed", cap: { rows: 20, keep: "mixed" }, shortPages: seed }, { from: NOW - 90 * DAY_MS });
}
for (const seed of [1, 2, 3, 4]) for (const page of [20, 100]) {
  const r = prng(seed).next;
  const fills = Array.from({ length: 30 }, () => NOW - r() * 80 * DAY_MS).flatMap((at) => Array.from({ length: Math.floor(r() * page / 3) }, () => fillAt(at + Math.floor(r() * 3))));
  for (const order of ["desc", "asc"] as const) await show(`A17 time cursors, short pages, ties, ${order} ${page}`, { fills, page, order, cursor: "time", shortPages: seed }, { from: NOW - 90 * DAY_MS });
}
