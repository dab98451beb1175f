import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, NOW, sessionsOf, fillAt, prng, memoryStore, run, check, hash, identityOf } = T;
const [first = "1", count = "100", verbose] = process.argv.slice(2);
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const r = prng(seed * 31 + 5).next;
  const pick = <X>(...list: X[]): X => list[Math.floor(r() * list.length)]!;
  const page = pick(10, 20, 50, 100, 500);
  const spanDays = pick(5, 30, 120, 400, 1500);
  const shape = pick("few", "sessions", "even", "dense", "fortnight", "ties");
  const skewMs = pick(0, 0, 0, 1000, 60_000, HOUR_MS, 20 * HOUR_MS);
  const rare = r() < 0.5; // only few fills have that skew
  const sign = pick(1, 1, -1);
  const skewed = (t: number) => { if (skewMs === 0) return t - Math.floor(r() * 50); if (rare && r() > 0.02) return t; return t + sign * Math.floor(r() * skewMs); };
  const times: number[] = [];
  const begin = NOW - spanDays * DAY_MS;
  if (shape === "few") for (let i = Math.floor(r() * 4); i > 0; i -= 1) times.push(begin + r() * spanDays * DAY_MS);
  else if (shape === "even") for (let i = pick(20, 100, 600); i > 0; i -= 1) times.push(begin + r() * spanDays * DAY_MS);
  else if (shape === "dense") { const at = begin + r() * (spanDays - 1) * DAY_MS; for (let i = pick(200, 800); i > 0; i -= 1) times.push(at + r() * pick(10_000, HOUR_MS)); }
  else if (shape === "ties") { for (let i = pick(5, 20); i > 0; i -= 1) { const at = begin + r() * spanDays * DAY_MS; for (let j = Math.floor(r() * page * 1.2); j > 0; j -= 1) times.push(at + Math.floor(r() * 3)); } }
  else { const n = pick(1, 3, 8, 20); const each = pick(2, 40, 150); for (let i = 0; i < n; i += 1) { const at = shape === "fortnight" ? NOW - (5 + 14 * i) * DAY_MS : begin + r() * (spanDays - 0.5) * DAY_MS; for (let j = 0; j < each; j += 1) times.push(at + r() * 4 * HOUR_MS); } }
  let fills = times.filter((t) => t < NOW).map((t) => fillAt(t, skewed(Math.floor(t))));
  const filterBy = r() < 0.3 ? "filledAt" : "txCreated";
  const svc: T.Svc = { fills, page, order: pick("desc", "asc", "desc", "asc", "mixed"), cursor: pick("exact", "exact", "time", "offset") };
  if (svc.order === "mixed" && svc.cursor === "time") svc.cursor = "exact";
  if (filterBy === "filledAt") { svc.filter = (f) => f.filledAt ?? f.txCreated; if (r() < 0.7 && svc.order !== "mixed") svc.key = svc.filter; }
  const on = (p: number) => r() < p;
  if (on(0.2)) svc.round = pick(SECOND_MS, MINUTE_MS, HOUR_MS);
  if (on(0.25)) svc.cut = { ms: pick(1, 7, 30) * DAY_MS, keep: pick("start", "end"), clampEnd: on(0.5) };
  if (on(0.3)) svc.cap = { rows: pick(page, page * 2, page * 3 + 7, 30, 500), keep: svc.order === "mixed" ? "mixed" : pick("new", "old") };
  if (on(0.1)) svc.noFuture = true;
  if (on(0.1)) svc.maxWidth = pick(7, 31) * DAY_MS;
  if (on(0.1)) svc.slowWidth = pick(7, 31) * DAY_MS;
  if (on(0.15)) svc.shortPages = seed;
  if (on(0.15)) svc.emptyPages = 0.3;
  svc.lastOnFinal = pick("absent", "absent", "cursor", "");
  if (on(0.1)) svc.forgets = true;
  if (on(0.15)) svc.endExclusive = true;
  if (on(0.15)) svc.startExclusive = true;
  if (svc.forgets && svc.cursor === "offset") svc.cursor = "exact";
  const desc = JSON.stringify({ seed, page, spanDays, shape, n: fills.length, skewMs, rare, sign, filterBy, key: svc.key !== undefined, order: svc.order, cursor: svc.cursor, round: svc.round, cut: svc.cut, cap: svc.cap, noFuture: svc.noFuture, maxWidth: svc.maxWidth, slow: svc.slowWidth, short: svc.shortPages, empty: svc.emptyPages, last: svc.lastOnFinal, forgets: svc.forgets, endEx: svc.endExclusive, startEx: svc.startExclusive });
  const store = memoryStore();
  const from = begin - pick(0, 1, 40) * DAY_MS - 1;
  const plan: T.RunOpts[] = [];
  const scenario = pick("one", "one", "abort", "once", "sub", "nights", "fail", "two");
  const settle = pick(0, 300_000);
  if (scenario === "abort" || scenario === "fail") for (let i = 0; i < 3; i += 1) plan.push({ from, [scenario === "abort" ? "abortAfter" : "failAfter"]: Math.floor(1 + r() * r() * 120) });
  if (scenario === "once") plan.push({ from, pace: "once" });
  if (scenario === "sub") for (let i = 0; i < 3; i += 1) { const a = from + r() * (NOW - from); const b = a + r() * (NOW - a); const f = pick(...(fills.length ? fills : [fillAt(a)])).txCreated; plan.push(on(0.5) && f < NOW - 1000 ? { from: f, to: Math.max(f + 1, Math.min(NOW, f + Math.floor(r() * 10 * DAY_MS))) } : { from: Math.floor(a), to: Math.floor(b) + 1 }); }
  if (scenario === "nights") { plan.push({ from, now: NOW - 20 * DAY_MS }); plan.push({ from, now: NOW - 9 * DAY_MS, lookBackDays: 7 }); plan.push({ from, now: NOW - 1 * DAY_MS, lookBackDays: 7 }); }
  plan.push({ from });
  if (on(0.3)) plan.push({ from, again: true });
  const drift = process.env.DRIFT && on(0.7) ? { gone: pick(0, 0, 0.02), moved: pick(0.02, 0.1), by: pick(1000, HOUR_MS, 3 * DAY_MS) } : null;
  if (drift) plan.push({ from, again: true });
  const conc = pick(1, 4, 16);
  let total = 0;
  const seen: string[] = [];
  for (const [i, p] of plan.entries()) {
    const now = p.now ?? NOW;
    const s: T.Svc = { ...svc, fills: fills.filter((f) => f.txCreated <= now && (f.filledAt ?? 0) <= now - settle) };
    let res: Awaited<ReturnType<typeof run>>;
    try {
      if (scenario === "two" && i === 0) {
        const [a, b] = await Promise.all([run(s, store, { ...p, concurrency: conc, settle }, seed), run(s, store, { ...p, concurrency: conc, settle }, seed + 1)]);
        res = a.complete ? a : b;
      } else res = await run(s, store, { ...p, concurrency: conc, settle }, seed); if (process.env.DUMP) { const bad = (await check(s, store, now)).lostFills; const near = res.log.filter((q) => bad[0] && q.startDate! <= bad[0].txCreated + 2000 && q.endDate! >= bad[0].txCreated - 2000); console.log(i, bad.length, res.problem?.message, near.slice(-14).map((q) => [new Date(q.startDate!).toISOString(), q.endDate! - q.startDate!, q.start].join(" ")).join(" | ")); }
    } catch (error) { console.log("CRASH", desc, scenario, i, (error as Error).stack); break; }
    total = res.requests;
    if (drift && i === 0) { // rows of the service change or vanish after the first run
      fills = fills.flatMap((f) => { const x = hash(`d${identityOf(f)}`); if (x < drift.gone) return []; if (x > 1 - drift.moved) { const t = Math.max(begin, Math.min(NOW - 8 * DAY_MS, f.txCreated + Math.floor((r() - 0.5) * 2 * drift.by))); return f.txCreated > NOW - 9 * DAY_MS ? [f] : [{ ...T.makeFill({ ...f, txCreated: t } as never) }]; } return [f]; });
    }
    const limit = p.to ?? now - settle;
    const c = await check(s, store, now, s.fills.filter((f) => f.txCreated < now - settle));
    const inRange = s.fills.filter((f) => f.txCreated >= (p.from ?? 0) && f.txCreated < limit);
    const have = (await T.held(store)).rows;
    const missing = inRange.filter((f) => !have.has(identityOf(f))).length;
    seen.push(`${scenario}${i}:${res.complete}/${res.requests}`);
    if (c.lost > 0 || c.doubled > 0 || (!drift && (c.invented > 0 || c.wrong > 0)) || (drift && res.complete && p.again && c.wrong > 0) || (res.complete && p.pace !== "once" && missing > 0))
      (svc.cut && svc.cut.ms < c.silent * DAY_MS && c.known?.believedMs == null) ? 0 : console.log(res.complete ? "!!!" : "!! ", seen.join(" "), `lost ${c.lost} missing ${missing} doubled ${c.doubled} inv ${c.invented} wrong ${c.wrong} of ${s.fills.length} held ${c.held} silent ${c.silent.toFixed(2)} conc ${conc} settle ${settle} plan ${JSON.stringify(p)} bel ${c.known?.believedMs == null ? null : c.known.believedMs / DAY_MS}`, desc);
    else if (process.env.ALL && !res.complete && i === plan.length - 1) console.log("not", seen.join(" "), res.problem?.message, desc);
    if (process.env.ALL && total > 3000 ) console.log("COST", total, seen.join(" "), desc);
  }
  if (process.env.DUMP) { const c = await check(svc, store); console.log(JSON.stringify(c.lostFills.slice(0, 8).map((f) => [new Date(f.txCreated).toISOString(), f.filledAt! - f.txCreated]))); console.log(JSON.stringify((await T.held(store)).manifest!.coverage.map((x) => [new Date(x.from).toISOString(), new Date(x.to).toISOString(), x.readings, x.silentIn]))); console.log(JSON.stringify((await T.held(store)).manifest!.known)); }
  if (verbose) console.log(seed, seen.join(" "));
}
