import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, NOW, show, sessionsOf, fillAt, prng, memoryStore, run, check } = T;
const days = (a: any) => a.coverage.filter((c: any) => c.readings === 2).reduce((s: number, c: any) => s + c.to - c.from, 0) / DAY_MS;
const which = process.argv[2]!;
if (which.includes("a")) for (const n of [200, 900]) for (const cut of [1, 7]) {
  const fills = [...sessionsOf(7, 1, 40, 200), ...sessionsOf(7, 1, 40, 500)];
  const svc: T.Svc = { fills, page: 100, cut: { ms: cut * DAY_MS, keep: "start" } };
  const store = memoryStore();
  for (let i = 0; i < 6; i += 1) {
    const a = await run(svc, store, { abortAfter: n, from: NOW - (cut === 1 ? 1400 : 3650) * DAY_MS });
    console.log("H7", n, cut, i, a.complete, a.requests, a.problem?.message, (await check(svc, store)).held, days(a));
  }
}
if (which.includes("b")) { // vanish of a session
  const fills = sessionsOf(7, 10, 300, 400).toSorted((a, b) => a.txCreated - b.txCreated);
  const store = memoryStore();
  await run({ fills, page: 100 }, store, { from: NOW - 400 * DAY_MS, pace: "once" });
  const at = fills[1000]!.txCreated;
  const svc: T.Svc = { fills: fills.filter((f) => Math.abs(f.txCreated - at) > DAY_MS), page: 100 };
  for (let i = 0; i < 4; i += 1) {
    const a = await run(svc, store, { from: NOW - 400 * DAY_MS, now: NOW + DAY_MS * i });
    const c = await check(svc, store);
    console.log("H10", a.complete, a.requests, "vanished", c.known?.vanished.length, "of", fills.length - svc.fills.length, "lost", c.lost, a.problem?.message);
  }
}
if (which.includes("c")) { // undated: known fills missing
  for (const days of [30, 90]) {
    const fills = sessionsOf(3, 10, 40, 1000);
    // dates floored to the quarter; without dates the last days only
    await show(`H4c dates rounded to 91 d, undated ${days} d`, { fills, page: 100, round: 91 * DAY_MS, undatedDays: days }, { from: NOW - 1000 * DAY_MS });
    const s: T.Svc = { fills, page: 100, rowsAt: (_n, asked) => fills, undatedDays: days };
    const store = memoryStore();
    await run(s, store, { from: NOW - 1000 * DAY_MS, to: NOW - 100 * DAY_MS });
  }
  const fills = sessionsOf(3, 10, 40, 1000);
  for (let seed = 1; seed < 6; seed += 1) await show(`H4d fallback newest from replicas, undated 30 d`, { fills: sessionsOf(seed, 3, 10, 1000), page: 100, fallbackRecent: true, undatedDays: 30, cut: { ms: 300 * DAY_MS, keep: "start" } }, { from: NOW - 1000 * DAY_MS });
}
