import { expect, test } from "vitest";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { assumptionsOf as sentencesOf } from "../../../lambda/pack/catalogue/assumptions.ts";

const silence = (year: number, widthMs = 87 * DAY_MS) => ({
  from: Date.UTC(year, 0, 1),
  to: Date.UTC(year, 9, 3),
  widthMs,
});

const assumptionsOf = (assumed: ReturnType<typeof silence>[]) =>
  sentencesOf({ assumed, datesTrusted: true, declared: [] });

test("untrusted dates and withdrawn fills are named", () => {
  const plain = assumptionsOf([]);
  expect(plain.join(" ")).toMatch(/later withdrew stays in the records/);
  const more = sentencesOf({ assumed: [], datesTrusted: false, declared: [] }).filter((text) => !plain.includes(text));
  expect(more).toEqual([expect.stringMatching(/does not select fills by tx_created.*fills could be missing/)]);
});

test("the reading of declared positions is named", () => {
  const plain = assumptionsOf([]);
  const declared = ["Declared 1 BTC-USD at 2025-01-01 00:00 (UTC)"];
  expect(sentencesOf({ assumed: [], datesTrusted: true, declared })).toEqual([...plain, `${declared[0]}.`]);
});

test("each assumed range gets a sentence; of many, the rest is counted", () => {
  const plain = assumptionsOf([]);
  expect(assumptionsOf([silence(2015)])).toEqual([
    ...plain,
    "Assumed to have no fills: 2015-01-01 to 2015-10-03. The venue reported none, but this time was requested in ranges of up to 87 days. If the venue silently shortens such answers, fills could be missing there. Part of this time is checked again each week, in ranges of 7 days.",
  ]);
  expect(assumptionsOf([silence(2015, DAY_MS)]).at(-1)).toMatch(
    /in ranges of up to one day\. .* Part of this time is checked again each week\.$/,
  );
  const many = Array.from({ length: 23 }, (_, at) => silence(2000 + at));
  expect(assumptionsOf(many)).toHaveLength(plain.length + 21);
  expect(assumptionsOf(many).at(-1)).toBe(
    "The same is assumed for 3 more ranges of time: completeness.json lists all of them.",
  );
});
