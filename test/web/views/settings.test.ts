import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DATE_BY_NAMES } from "../../../lambda/pack/build/date-by.ts";
import { html } from "../../../lambda/pack/files/report/html.ts";
import type { PackSettings } from "../../../lambda/web/packs.ts";
import { packPage } from "../../../lambda/web/views/pack.ts";
import { packList } from "../../../lambda/web/views/packs.ts";
import { pagingOf } from "../../../lambda/web/views/paging.ts";
import { frameOf, packOf, packsOf } from "./samples.ts";

// Packs of one period that were made with different settings are not versions of each other.

const settings = fc
  .record({
    made: fc.constantFrom(
      { method: "average", isMethodChosen: false },
      { method: "average", isMethodChosen: true },
      { method: "fifo", isMethodChosen: true },
    ),
    basis: fc.constantFrom(...DATE_BY_NAMES),
    currency: fc.constantFrom(null, "EUR", "USD"),
  })
  .map(({ made, ...more }) => ({ ...made, ...more }));

/**
 * The page's text up to its facts, for an older pack made with `own`, while the newest pack was made with
 * `newest`.
 */
function stateOf(own: PackSettings, newest: PackSettings | null, restatementsSince: number): string {
  const newer = packOf({ version: "bba7364eecb8a33d" });
  const pack = packOf({ latest: false, claim: { ...packOf().claim, ...own }, versions: [newer] });
  const page = packPage(frameOf(), {
    account: "main",
    pack,
    figures: null,
    checks: { files: null, rewalk: null },
    newest: { ...newer, settings: newest },
    restatementsSince,
    others: [newer],
    paging: pagingOf(1, 25, null),
  });
  return (page.split('<p class="actions">')[0] ?? "").replaceAll(/<[^>]*>/g, "");
}

describe("an older pack", () => {
  test("names the current pack of its period, and says that it is made in the same way exactly where it is", () => {
    fc.assert(
      fc.property(settings, fc.option(settings), (own, newest) => {
        const isAlike = JSON.stringify(own) === JSON.stringify(newest);
        const [nothingSince, two] = [stateOf(own, newest, 0), stateOf(own, newest, 2)];
        expect(nothingSince).toContain("Not the current pack of this period.");
        expect([nothingSince, two].map((text) => text.includes("(like this one)"))).toEqual([isAlike, isAlike]);
      }),
    );
  });

  const fifo = { method: "fifo", isMethodChosen: true, basis: "transaction", currency: "EUR" };
  const average = { method: "average", isMethodChosen: true, basis: "fill", currency: null };

  test.each([
    [0, "What changed"],
    [2, "It may include them: see what changed, or make this one again."],
  ])("names the settings of both where they differ: %d fills since", (since, end) => {
    const current = "The current pack of this period";
    const own = "(this one: FIFO, by time of transaction, in EUR)";
    expect(stateOf(fifo, average, since)).toContain(
      `${current} uses Average cost ${own}, made 31 Jan 2026 14:05 UTC. ${end}`,
    );
    expect(stateOf(average, null, since)).toContain(
      `${current}, whose settings cannot be read, was made 31 Jan 2026 14:05 UTC. ${end}`,
    );
  });
});

test("a pack's own page tells its settings", () => {
  const factsOf = (made: PackSettings) => {
    const pack = packOf({ claim: { ...packOf().claim, ...made } });
    const paging = pagingOf(0, 25, null);
    const page = packPage(frameOf(), {
      account: "main",
      pack,
      figures: null,
      checks: { files: null, rewalk: null },
      newest: null,
      restatementsSince: 0,
      others: [],
      paging,
    });
    return (/<dl[\s\S]*<\/dl>/.exec(page)?.[0] ?? "").replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  };
  const fifo = factsOf({ method: "fifo", isMethodChosen: true, basis: "transaction", currency: "EUR" });
  expect(fifo).toContain("Method FIFO Period cut-off by time of the transaction Converted into EUR");
  expect(factsOf({ method: "average", isMethodChosen: true, basis: "fill", currency: null })).toContain(
    "Converted into nothing",
  );
});

test("the list tells the settings of each newest version", () => {
  const lines = packsOf(0).map((pack) => ({
    ...pack,
    settings: pack.latest ? { method: "lifo", isMethodChosen: true, basis: "fill", currency: "CHF" } : null,
  }));
  const { markup } = packList(
    "main",
    { packs: lines, gone: [], find: "", paging: pagingOf(1, 25, null) },
    null,
    html``,
  );
  const rows = markup.split("<li data-period").slice(1);
  expect(rows.map((row) => row.replaceAll(/<[^>]*>/g, "").includes("LIFO, in CHF"))).toEqual([true]);
});
