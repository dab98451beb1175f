import { expect, onTestFinished, test } from "vitest";
import { eventOf } from "./edge.ts";
import { CLAIMS, openPageWorld, TOKEN } from "./page-world.ts";

test("a user may send sixty requests at once, then five a second: more are answered with 429, and logged", async () => {
  const world = await openPageWorld();
  onTestFinished(() => world.pool.stop());
  const ask = (username = "ann") => world.answer(eventOf("/", { claims: { ...CLAIMS, username }, headers: TOKEN }));
  const asks = async (times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, () => ask()));
    return answers.filter(({ statusCode }) => statusCode === 200).length;
  };
  expect(await asks(70)).toBe(60);
  expect(await ask()).toMatchObject({ statusCode: 429, headers: { "retry-after": "1", "cache-control": "no-store" } });
  expect(await ask("ben")).toMatchObject({ statusCode: 200 });
  expect(world.logged()).toContainEqual(
    expect.objectContaining({ message: "refused", status: 429, why: "too many requests" }),
  );
  await world.clock.advance(2000);
  expect(await asks(20)).toBe(10);
  await world.clock.advance(3_600_000);
  expect(await asks(70)).toBe(60);
});
