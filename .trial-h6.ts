import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, NOW, show, sessionsOf, fillAt, prng, memoryStore, run, check } = T;
const at = NOW - 20 * DAY_MS;
for (const order of ["desc", "asc"] as const) {
  const sign = order === "desc" ? 1 : -1;
  const many = (n: number, t: number) => Array.from({ length: n }, () => fillAt(t));
  const fills = [...many(1, at - sign * 5 * DAY_MS), ...many(5, at - sign * 10), ...many(3, at), ...many(49, at + sign * 10)];
  for (const from of [NOW - 60 * DAY_MS]) await show(`A14 time cursor ${order}`, { fills, page: 50, order, cursor: "time" }, { from });
}
{
  const r = prng(1).next;
  const fills = Array.from({ length: 2000 }, () => fillAt(NOW - 30 * DAY_MS + r() * DAY_MS));
  await show("A13 day truncated, 8 hours of an unknown account", { fills, page: 100, roundReq: DAY_MS }, { from: NOW - 30 * DAY_MS + 10 * HOUR_MS, to: NOW - 30 * DAY_MS + 18 * HOUR_MS });
  await show("A13 hour truncated, half an hour of an unknown account", { fills, page: 100, roundReq: HOUR_MS }, { from: NOW - 30 * DAY_MS + 10.2 * HOUR_MS, to: NOW - 30 * DAY_MS + 10.8 * HOUR_MS });
}
