import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, NOW, show, sessionsOf, memoryStore } = T;
for (let seed = 1; seed < 9; seed += 1) for (const keep of ["start", "end"] as const) {
  const fills = sessionsOf(seed, 12, 40, 60).toSorted((a, b) => a.txCreated - b.txCreated);
  const svc = { fills, page: 100, cut: { ms: DAY_MS, keep } };
  const store = memoryStore();
  await show(`A11 ${seed} ${keep} period`, svc, { from: fills[0]!.txCreated - DAY_MS, to: fills[0]!.txCreated + 5 * DAY_MS }, store);
  await show(`A11 ${seed} ${keep} all   `, svc, { from: NOW - 70 * DAY_MS }, store);
}
