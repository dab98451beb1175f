import { describe, expect, test } from "vitest";
import { assumptionLine } from "../../../lambda/web/views/assumptions.ts";
import { packPage } from "../../../lambda/web/views/pack.ts";
import { pagingOf } from "../../../lambda/web/views/paging.ts";
import { frameOf, packOf, samplesOf } from "./samples.ts";

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

  const packShown = (changes: Parameters<typeof packOf>[0]) =>
    packPage(frameOf(), {
      account: "main",
      pack: packOf(changes),
      checks: { files: null, rewalk: null },
      verdict: packOf(changes).claim.verdict,
      current: null,
      others: [],
      paging: pagingOf(0, 25, null),
    });

  test.each([true, false])("stands under the claim of a pack's page: complete %s", (complete) => {
    const [, claim = ""] = packShown({ complete }).split('<div class="notice');
    expect(text(claim)).toContain(SILENCE);
    const proven = packShown({
      complete,
      claim: { ...packOf().claim, assumed: { silenceDays: null, vanished: 0 } },
    });
    expect(text(proven)).not.toContain(SILENCE);
  });

  test("and on the account's page", () => {
    const page = samplesOf().find(({ name }) => name === "overview")?.page ?? "";
    expect(text(page)).toContain(SILENCE);
  });
});
