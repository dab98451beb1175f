import * as T from "./.trial-att.ts";
const { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, NOW, show, sessionsOf, fillAt, prng, memoryStore, run, check } = T;
for (const roundReq of [MINUTE_MS, HOUR_MS, DAY_MS]) for (const perDay of [4, 30, 100]) for (const ceilStart of [false, true]) {
  const r = prng(3).next;
  const fills = Array.from({ length: perDay * 60 }, () => fillAt(NOW - 60 * DAY_MS + r() * 59.99 * DAY_MS));
  const svc = { fills, page: 100, roundReq, ceilStart };
  const end = NOW - 10 * DAY_MS + 14 * HOUR_MS + 1_234_567;
  const name = `A10 floor ${roundReq / 1000}s ceilStart ${ceilStart} ${perDay}/day`;
  await show(`${name} now mid-day`, svc, { from: NOW - 70 * DAY_MS, now: NOW - 1 + 10 * HOUR_MS, settle: 300_000 });
  await show(`${name} to mid-day`, svc, { from: NOW - 70 * DAY_MS, to: end });
  await show(`${name} from mid-day to mid-day`, svc, { from: NOW - 40 * DAY_MS + 9 * HOUR_MS + 1_234_567, to: end });
}
