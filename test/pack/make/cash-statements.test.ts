import { describe, expect, test } from "vitest";
import type { Inputs } from "../../../lambda/inputs/inputs.ts";
import type { StatedBalance } from "../../../lambda/inputs/tables.ts";
import type { PackRequest } from "../../../lambda/pack/make/request.ts";
import { fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { bytesOf, MARCH, packOf, WIDE } from "../pack.ts";
import { squeezed, statementText } from "../report/statement-text.ts";

function stated(time: number, amount: string, currency = "USDT"): StatedBalance {
  return { time, currency, amount: exactly(amount), note: "" };
}

/** Gross 10, fees 0.43: the cash grows by 9.57. */
const FILLS = fillsFrom("B1@100/0.10 S1@110/0.33");

async function made(given: Partial<Inputs>, fills = FILLS, request: Partial<PackRequest> = {}) {
  const store = memoryStore();
  const inputs = { ...NO_INPUTS, ...given };
  const pack = await packOf(store, fills, { inputs, beginning: WIDE.from, isMethodChosen: true, ...request });
  const page = bytesOf(store, pack, "report.html").toString();
  return {
    complete: pack.complete,
    notes: pack.notes,
    /** Without white space. */
    statement: squeezed(statementText(page)),
  };
}

describe("cash that differs from the user's statements", () => {
  const DIFFERS =
    "in USDT differs by 104.57 from balances.csv: the statement for 2025-04-01 00:00 (UTC) says 5.00, but 109.57 is calculated from the statement for 2025-03-01 00:00 (UTC). Possible causes: no funding.csv was given; no transfers.csv was given; a fee or interest that the venue's fills do not show; a statement by another clock: a date alone is the start of that day in UTC";

  const REMEDY = "Add what is missing to your files, or correct balances.csv, and make the pack again.";

  test("is a warning, a point to note and a line of the reconciliation; the pack is made", async () => {
    const pack = await made({ balances: [stated(MARCH.from, "100"), stated(MARCH.to, "5")] });
    expect(pack.complete).toBe(true);
    expect(pack.notes).toEqual([`Cash ${DIFFERS}. ${REMEDY}`]);
    expect(pack.statement).toContain(squeezed(`Cash ${DIFFERS}. ${REMEDY} See Reconciliation.`));
    expect(pack.statement).toContain(squeezed("Statements of cash (balances.csv): differ in USDT."));
  });

  test("names only causes that are possible, and unknown fills among them", async () => {
    const files = { funding: [], transfers: [] };
    const ends = [stated(MARCH.from, "0"), stated(MARCH.to, "1")];
    const { notes } = await made({ ...files, balances: ends }, fillsFrom("B1@100/0.10 S1@110/0.33"), {
      beginning: 0, // of the account, long before what was read
    });
    expect(notes.filter((note) => note.startsWith("Cash"))).toEqual([
      expect.stringMatching(
        /says 1\.00, but -0\.43 is calculated .* Possible causes: the PnL or fee of 2 fills is not known; a fee or interest/,
      ),
    ]);
  });

  test("is named once for each currency, by its largest difference", async () => {
    const middle = Date.UTC(2025, 2, 10); // after both fills
    const { notes, statement } = await made({
      balances: [
        stated(MARCH.from, "100"),
        stated(middle, "100"), // 9.57 too little
        stated(MARCH.to, "101"), // 1 too much
        stated(MARCH.from, "7", "EUR"),
        stated(MARCH.to, "7", "EUR"),
      ],
    });
    expect(notes).toEqual([
      expect.stringMatching(
        /^Cash in USDT differs by 9\.57 from balances\.csv: the statement for 2025-03-10 00:00 \(UTC\) says 100\.00, but 109\.57 is .*; it also differs in 1 other range of time\. /,
      ),
    ]);
    expect(statement).toContain(squeezed("Statements of cash (balances.csv): differ in USDT; agree in EUR."));
  });

  test("by less than a cent is given in all digits", async () => {
    const { notes } = await made({ balances: [stated(MARCH.from, "0"), stated(MARCH.to, "9.571")] });
    expect(notes[0]).toMatch(/differs by 0\.001 from balances\.csv: .* says 9\.571, but 9\.57 is/);
  });
});

describe("the statement says of cash only what was compared", () => {
  test("statements that agree", async () => {
    const { notes, statement } = await made({
      balances: [stated(MARCH.from, "100"), stated(MARCH.to, "109.57")],
    });
    expect(notes).toEqual([]);
    expect(statement).toContain(squeezed("Statements of cash (balances.csv): agree in USDT."));
    expect(statement).toContain(
      squeezed(
        "Controls: the pack's own sums of positions, cash and fees were compared with each other, market by market, wherever both sides are known (control-totals.csv). If a control fails, no pack is made.",
      ),
    );
  });

  test("statements that agree although the PnL of fills is not known", async () => {
    // Only the fees are known, 0.43.
    const { notes, statement } = await made(
      { balances: [stated(MARCH.from, "1"), stated(MARCH.to, "0.57")] },
      FILLS,
      { beginning: 0 }, // of the account, long before what was read
    );
    expect(notes).toEqual([expect.stringMatching(/^BTC-USDT: PnL of 2 fills could not be calculated, /)]);
    expect(statement).toContain(
      squeezed("Statements of cash (balances.csv): agree in USDT (the PnL or fee of 2 fills is not known)."),
    );
  });

  test("no statements", async () => {
    const { notes, statement } = await made({});
    expect(notes).toEqual([]);
    expect(statement).toContain(
      squeezed("Statements of cash: none were given for this period, so cash was not compared with the venue's."),
    );
  });

  test("statements for a part of the period, and one alone", async () => {
    const { statement } = await made({
      balances: [
        stated(MARCH.from, "0"),
        stated(Date.UTC(2025, 2, 10), "9.57"),
        stated(MARCH.to, "0.000000000000000000000000000000000001", "EUR"), // alone
      ],
    });
    expect(statement).toContain(
      squeezed("Statements of cash (balances.csv): not compared in EUR; agree for part of the period in USDT."),
    );
  });
});
