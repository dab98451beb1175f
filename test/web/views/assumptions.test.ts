import { describe, expect, test } from "vitest";
import { assumptionLine } from "../../../lambda/web/views/assumptions.ts";
import { samplesOf } from "./samples.ts";

const text = (markup: string) => markup.replaceAll(/<[^>]*>/g, "").trim();
const SILENCE =
  "Times without a known fill at both ends, such as those before the first fill, were requested in ranges of up to 7 days. If the venue silently shortens such answers, fills could be missing there.";

describe("what is called complete", () => {
  test("says on what it rests, and nothing where it rests on answers alone", () => {
    expect(assumptionLine({ silenceDays: null, vanished: 0 })).toBeNull();
    expect(text(assumptionLine({ silenceDays: 7, vanished: 0 })?.markup ?? "")).toBe(SILENCE);
    expect(text(assumptionLine({ silenceDays: 7, vanished: 3 })?.markup ?? "")).toBe(
      `▲ 3 fills of the account are no longer reported by the venue among the fills around them. They stay in the records.\n${SILENCE}`,
    );
  });

  test.each(["pack", "pack-incomplete", "overview"])("stands on the page: %s", (name) => {
    const page = samplesOf().find((sample) => sample.name === name)?.page ?? "";
    expect(text(page)).toContain(SILENCE);
  });
});
