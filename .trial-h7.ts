import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, NOW, show, sessionsOf, fillAt, prng, memoryStore, run, check, hash, identityOf } = T;
for (const filterBy of ["txCreated", "filledAt"] as const) for (const by of [HOUR_MS, 3 * DAY_MS]) for (const order of ["desc", "mixed"] as const) for (const page of [100, 500]) {
  const r = prng(5).next;
  const fills = Array.from({ length: 3000 }, () => fillAt(NOW - 60 * DAY_MS + r() * 50 * DAY_MS));
  const filter = filterBy === "filledAt" ? { filter: (f: T.Fill) => f.filledAt! } : {};
  const store = memoryStore();
  await run({ fills, page, order, ...filter }, store, { from: NOW - 70 * DAY_MS });
  const moved = fills.map((f) => (hash(`d${identityOf(f)}`) < 0.05 ? T.makeFill({ ...f, txCreated: f.txCreated + Math.floor((r() - 0.5) * 2 * by) }) : f));
  const svc = { fills: moved, page, order, ...filter };
  for (const again of [true, true]) {
    const a = await run(svc, store, { from: NOW - 70 * DAY_MS, again });
    const c = await check(svc, store);
    console.log(a.complete && c.wrong + c.doubled + c.lost ? "!!!" : "   ", filterBy, by / HOUR_MS, order, page, a.complete, a.requests, a.problem?.message, "lost", c.lost, "dbl", c.doubled, "wrong", c.wrong, "van", c.known?.vanished.length, "restated", a.restated);
  }
}
