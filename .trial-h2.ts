import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, NOW, show, sessionsOf, fillAt, prng, memoryStore, run, check } = T;
const which = process.argv[2] ?? "345789";
if (which.includes("3")) for (const seed of [1, 2, 3, 4]) for (const cut of [undefined, { ms: 7 * DAY_MS, keep: "start" as const }, { ms: 7 * DAY_MS, keep: "end" as const }]) for (const order of ["asc", "desc"] as const) {
  const r = prng(seed).next;
  const fills = sessionsOf(seed, 6, 300, 200).map((f) => (r() < 0.05 ? { ...f, market: "HIDDEN" } : f));
  const svc: T.Svc = { fills, page: 100, filterAfter: 1, order, ...(cut ? { cut } : {}) };
  const store = memoryStore();
  const res = await run(svc, store, { from: NOW - 200 * DAY_MS });
  const c = await check(svc, store, NOW, fills.filter((f) => f.market !== "HIDDEN"));
  console.log(res.complete && c.lost ? "!!!" : "   ", "H3", seed, cut?.keep, order, res.complete, res.requests, "lost", c.lost, "of", c.truth, c.known?.page, c.known?.full, res.problem?.message);
}
if (which.includes("4")) {
  const fills = sessionsOf(3, 10, 40, 1000);
  await show("H4 empty range shows the newest, undated 30 d", { fills, page: 100, fallbackRecent: true, undatedDays: 30 }, { from: NOW - 1000 * DAY_MS });
  await show("H4 fallback, undated all", { fills, page: 100, fallbackRecent: true }, { from: NOW - 1000 * DAY_MS });
}
if (which.includes("5")) for (let n = 40; n < 200; n += 10) {
  const fills = sessionsOf(7, 30, 40, 400);
  const svc: T.Svc = { fills, page: 100, falseEmpty: 0.1 };
  const store = memoryStore();
  const a = await run(svc, store, { from: NOW - 400 * DAY_MS, failAfter: n });
  const b = await run(svc, store, { from: NOW - 400 * DAY_MS });
  const c = await check(svc, store);
  console.log(b.complete && c.lost ? "!!!" : "   ", "H5 falseEmpty .1, 503 after", n, a.complete, b.complete, b.requests, c.lost, b.problem?.message);
}
if (which.includes("7")) {
  const fills = sessionsOf(7, 30, 40, 3650);
  const svc: T.Svc = { fills, page: 100, cut: { ms: DAY_MS, keep: "start" } };
  const store = memoryStore();
  for (let i = 0; i < 8; i += 1) {
    const a = await run(svc, store, { abortAfter: 1500 });
    console.log("H7", i, a.complete, a.requests, a.problem?.message, (await check(svc, store)).held, a.coverage.length, a.coverage.filter((c) => c.readings === 2).reduce((s, c) => s + c.to - c.from, 0) / DAY_MS);
  }
}
if (which.includes("8")) for (const round of [MINUTE_MS, HOUR_MS, DAY_MS]) for (const perDay of [5, 40, 200, 1000]) {
  const r = prng(3).next;
  const fills = Array.from({ length: perDay * 40 }, () => fillAt(NOW - 30 * DAY_MS + r() * 40 * DAY_MS));
  const store = memoryStore();
  const svc: T.Svc = { fills, page: 100, round };
  for (let night = 0; night < 4; night += 1) {
    const now = NOW + night * DAY_MS + 7_777_777;
    const s: T.Svc = { ...svc, fills: fills.filter((f) => f.txCreated < now) };
    const a = await run(s, store, { from: NOW - 30 * DAY_MS, now, lookBackDays: 7, alwaysLooksBack: true });
    const c = await check(s, store, now);
    console.log(a.complete && c.lost ? "!!!" : "   ", `H8 round ${round / 1000}s ${perDay}/day night ${night}`, a.complete, a.requests, "lost", c.lost, c.doubled, "rung", c.known?.rung, a.problem?.message);
  }
}
if (which.includes("9")) {
  const fills = sessionsOf(7, 30, 40, 400).toSorted((a, b) => a.txCreated - b.txCreated);
  for (const gone of [[fills[0]!], [fills.at(-1)!]]) {
    const store = memoryStore();
    await run({ fills, page: 100 }, store, { pace: "once" });
    const svc: T.Svc = { fills: fills.filter((f) => !gone.includes(f)), page: 100 };
    for (let i = 0; i < 3; i += 1) {
      const a = await run(svc, store, { now: NOW + DAY_MS * (1 + i) });
      const c = await check(svc, store);
      console.log("H9", a.complete, a.requests, c.known?.believedMs! / DAY_MS, a.problem?.message, c.known?.vanished.length);
    }
  }
}
