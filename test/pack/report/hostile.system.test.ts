import { expect, test } from "vitest";
import type { Amount } from "../../../lambda/core/amount.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { booksOf } from "../../accounting/make.ts";
import { converterOf } from "../../accounting/rates/make.ts";
import { MARKUP } from "../../formats/hostile-texts.ts";
import { drawFills, pageOf } from "../books.ts";
import { NO_READER, type ReadPage, readPages } from "./read.ts";

/** A page that showed the long text in full, once a fill, would have eight megabytes. */
const MOST_BYTES = 2 ** 20;

const DRAWN = drawFills(120, Date.UTC(2025, 0, 2), Date.UTC(2025, 11, 30));

/** Every text of a fill, a market, a currency and an exception is this text. */
function hostilePage(text: string): string {
  const fills = DRAWN.map((fill, at): Fill => {
    const market = at % 3 === 0 ? `${text}-USD` : `${fill.market}${text}`;
    return { ...fill, market, matchId: text + at, orderId: text, liquidity: at % 5 === 0 ? text : fill.liquidity };
  });
  const untyped = fills.map((fill, at) => (at === 80 ? { ...fill, quantity: text } : fill));
  const books = booksOf(untyped);
  const ids = { account: text, matchId: text, orderId: text };
  const row = { ...ids, txCreated: 0, market: text, column: text, reason: text, value: text };
  const convert = (amount: Amount) => ({ amount, rate: "1", rateDate: text, source: text });
  return pageOf(books, {
    context: { name: text, period: { ...books.context.period, name: `custom-${text}` } },
    closing: {
      exceptions: { count: 2, ofFills: 1, first: [row, { ...row, txCreated: null }] },
    },
    converter: converterOf({ to: text, convert }),
  });
}

test.skipIf(NO_READER !== "").each(MARKUP)(
  `text from others is shown, and has no effect${NO_READER}: %s`,
  async (name, hostile) => {
    const page = hostilePage(hostile);
    // A harmless text of the same length. Its hyphens, which end the name of a market, are at the same
    // places.
    const harmless = hostilePage(hostile.replaceAll(/[^-]/gu, "x"));
    const [read, plain] = (await readPages([page, harmless])) as [ReadPage, ReadPage];
    expect(read.elements).toEqual(plain.elements);
    const keys = ({ attributes }: ReadPage) => new Set(attributes.map(([element, key]) => `${element} ${key}`));
    expect(keys(read)).toEqual(keys(plain));
    expect(read.ids).toEqual(plain.ids);
    expect(read.turned).toEqual([]);
    const allowed = hostile.toWellFormed().replaceAll(/[^\P{Cc}\t\n]|\p{Noncharacter_Code_Point}/gu, "\uFFFD");
    const shown = allowed.slice(0, 120).replaceAll(/\s+/g, " ").trim();
    expect(read.text).toContain(name === "line breaks" ? "a" : shown);
    if (name === "a long text") {
      expect(page.length).toBeLessThan(MOST_BYTES);
      expect(read.text).toMatch(/<x><x>… \(6553[4-9]/);
    }
  },
);
