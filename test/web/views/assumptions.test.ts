import { describe, expect, test } from "vitest";
import { assumptionLine, reportNaming } from "../../../lambda/web/views/assumptions.ts";
import { packPage } from "../../../lambda/web/views/pack.ts";
import { pagingOf } from "../../../lambda/web/views/paging.ts";
import { frameOf, packOf, samplesOf } from "./samples.ts";

const text = (markup: string) => markup.replaceAll(/<[^>]*>/g, "").trim();
const RESTS = "That no fill is missing rests on an assumption for 2 stretches of time.";

describe("what is called complete", () => {
  test("says on what it rests, and nothing where it rests on answers alone", () => {
    expect(assumptionLine({ assumed: 0, isUndated: false }, "/r")).toBeNull();
    const one = assumptionLine({ assumed: 1, isUndated: true }, "/r")?.markup ?? "";
    expect(text(one)).toBe(
      "▲ That no fill is missing rests on an assumption for 1 stretch of time. The venue does not answer by the dates of fills, so that the records rest on one answer without dates. The report says which.",
    );
    expect(one).toContain('href="/r#basis"');
    expect(assumptionLine({ assumed: 2, isUndated: false }, null)?.markup).not.toContain("href");
  });

  test("leads to the report of the newest pack only if that names as many", () => {
    const claim = packOf().claim;
    const leading = { pack: packOf(), claim };
    expect(claim).toMatchObject({ assumed: 2, isUndated: false });
    const report = reportNaming("main", leading, { assumed: 2, isUndated: false });
    expect(report).toMatch(/\/report$/);
    expect(reportNaming("main", leading, { assumed: 3, isUndated: false })).toBeNull();
    expect(reportNaming("main", leading, { assumed: 2, isUndated: true })).toBeNull();
    expect(reportNaming("main", { ...leading, claim: null }, { assumed: 0, isUndated: false })).toBeNull();
    expect(reportNaming("main", null, { assumed: 0, isUndated: false })).toBeNull();
  });

  const packShown = (changes: Parameters<typeof packOf>[0]) =>
    packPage(frameOf(), {
      account: "main",
      pack: packOf(changes),
      figures: null,
      checks: { files: null, rewalk: null },
      restatementsSince: 0,
      newest: null,
      others: [],
      paging: pagingOf(0, 25, null),
    });

  test.each([true, false])("stands under the claim of a pack's page: complete %s", (complete) => {
    const [, claim = ""] = packShown({ complete }).split('<div class="notice');
    expect(text(claim)).toContain(RESTS);
    expect(claim).toContain("/report#basis");
    const proven = packShown({ complete, claim: { ...packOf().claim, assumed: 0 } });
    expect(proven).not.toContain("rests on an assumption");
  });

  test.each(["accounts", "overview"])("and on the page %s, with a link to the report", (name) => {
    const page = samplesOf().find((one) => one.name === name)?.page ?? "";
    expect(page).toContain("rests on an assumption for 1 stretch of time");
    expect(page).toContain("/report#basis");
  });
});
