import { expect, onTestFinished, test } from "vitest";
import { userRate } from "../../../../lambda/web/hosts/aws/user-rate.ts";
import { eventOf } from "./edge.ts";
import { CLAIMS, openPageWorld, TOKEN } from "./page-world.ts";

test("a user may send sixty requests at once, then five a second; other users are not affected", () => {
  let now = 0;
  const mayAsk = userRate(() => now);
  const asks = (user: string, times: number) =>
    Array.from({ length: times }, () => mayAsk(user)).filter(Boolean).length;
  expect(asks("ann", 100)).toBe(60);
  expect(asks("ben", 100)).toBe(60);
  now += 2000;
  expect(asks("ann", 100)).toBe(10);
  now += 3_600_000;
  expect(asks("ann", 100)).toBe(60);
});

test("the page answers 429 to a user with too many requests, logs it, and serves the user again later", async () => {
  const world = await openPageWorld();
  onTestFinished(() => world.pool.stop());
  const ask = async () => await world.answer(eventOf("/", { claims: CLAIMS, headers: TOKEN }));
  const statuses: unknown[] = [];
  for (let n = 0; n < 61; n += 1) {
    statuses.push((await ask()).statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  expect((await ask()).headers).toMatchObject({ "retry-after": "1", "cache-control": "no-store" });
  expect(world.logged()).toContainEqual(
    expect.objectContaining({ message: "refused", status: 429, why: "too many requests" }),
  );
  await world.clock.advance(1000);
  expect(await ask()).toMatchObject({ statusCode: 200 });
});
