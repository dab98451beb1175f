import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, NOW, show, sessionsOf, fillAt, prng, memoryStore, run, check } = T;
for (const order of ["desc", "asc"] as const) for (const cursor of ["exact", "time", "offset"] as const) {
  const fills = sessionsOf(3, 10, 40, 2000, 4, NOW - 800 * DAY_MS);
  await show(`H4e idle two years, empty → newest, undated 30 d ${order}`, { fills, page: 100, fallbackRecent: true, undatedDays: 30, order, cursor }, {});
}
{ // nightly: an archive that is full; then a quiet week; the empty night falls back
  const fills = sessionsOf(3, 60, 40, 1500, 4, NOW - 40 * DAY_MS);
  const store = memoryStore();
  await show("H4f first", { fills, page: 100 }, { from: NOW - 1600 * DAY_MS, to: NOW - 1000 * DAY_MS }, store);
  await show("H4f later, undated 30", { fills, page: 100, fallbackRecent: true, undatedDays: 30 }, { from: NOW - 1600 * DAY_MS }, store);
}
