import { expect, test } from "vitest";
import { assumptionsOf as sentencesOf } from "../../../lambda/pack/catalogue/assumptions.ts";
import type { Assumed } from "../../../lambda/pack/make/maker.ts";

const assumptionsOf = (assumed: Partial<Assumed>, declared: readonly string[] = []) =>
  sentencesOf({ assumed: { silenceDays: null, vanished: 0, ...assumed }, declared, noted: [] });

test("the reading of declared positions is named", () => {
  const declared = ["Declared 1 BTC-USD at 2025-01-01 00:00 (UTC)"];
  expect(assumptionsOf({}, declared)).toEqual([...assumptionsOf({}), `${declared[0]}.`]);
});

test("silence and vanished fills are named", () => {
  const plain = assumptionsOf({});
  expect(plain.join(" ")).toMatch(/later withdrew stays in the records/);
  expect(assumptionsOf({ silenceDays: 7, vanished: 2 })).toEqual([
    ...plain,
    "Times without a known fill at both ends, such as those before the first fill, were requested in ranges of up to 7 days. If the venue silently shortens such answers, fills could be missing there.",
    "2 fills of the account are no longer reported by the venue among the fills around them. They stay in the records.",
  ]);
  expect(assumptionsOf({ silenceDays: 1, vanished: 1 }).slice(-2)).toEqual([
    expect.stringContaining("in ranges of up to one day."),
    "1 fill of the account is no longer reported by the venue among the fills around it. It stays in the records.",
  ]);
});
