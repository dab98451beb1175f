import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, NOW, show, sessionsOf, fillAt, prng, memoryStore } = T;
// H1
for (const ms of [1, 7, 30]) for (const keep of ["start", "end"] as const) for (const seed of [1, 2, 3]) {
  const fills = sessionsOf(seed, 8, 40, 400);
  fills.push(fillAt(fills[0]!.txCreated + 1, fills[0]!.txCreated + 1 + 20 * HOUR_MS));
  await show(`H1 cut ${ms}d keep ${keep} one skew 20h`, { fills, page: 100, cut: { ms: ms * DAY_MS, keep } }, { from: NOW - 400 * DAY_MS });
}
// H2
for (const ms of [1, 7]) for (const recent of [0, 1]) {
  const fills = sessionsOf(5, 8, 40, ms === 7 ? 2000 : 400);
  if (recent) fills.push(fillAt(NOW - 5 * HOUR_MS), fillAt(NOW - 6 * HOUR_MS));
  await show(`H2 cut ${ms}d keep end, end clamped to now, recent ${recent}`, { fills, page: 100, cut: { ms: ms * DAY_MS, keep: "end", clampEnd: true } }, { from: NOW - (ms === 7 ? 2000 : 400) * DAY_MS });
}
// H6
for (const settle of [0, 300_000]) for (const skew of [0, 20 * HOUR_MS]) {
  const fills = sessionsOf(5, 8, 40, 400);
  fills.push(fillAt(NOW - 5 * HOUR_MS, NOW - 5 * HOUR_MS + skew > NOW ? NOW - 25 * HOUR_MS : NOW - 5 * HOUR_MS));
  await show(`H6 future refused settle ${settle} skew ${skew / HOUR_MS}`, { fills, page: 100, noFuture: true }, { from: NOW - 400 * DAY_MS, settle });
  await show(`H6 10 years`, { fills, page: 100, noFuture: true }, { settle });
}
