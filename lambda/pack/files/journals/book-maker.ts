import type { Converter } from "../../../accounting/rates/converter.ts";
import type { AccountSettings } from "../../build/account-settings.ts";
import type { LateMaker, PackContext } from "../../build/maker.ts";
import { BookTally } from "./book-tally.ts";
import { datevFiles } from "./datev.ts";
import { quickBooksFiles } from "./quickbooks.ts";
import { xeroFiles } from "./xero.ts";

/**
 * The files for accounting programs that accounts.json sets up. Null: none. `converter`: into the book
 * currency.
 */
export function bookMaker(
  context: PackContext,
  { xero, quickbooks, datev }: AccountSettings,
  converter: Converter | null,
): LateMaker | null {
  if (converter === null || (xero === null && quickbooks === null && datev === null)) {
    return null;
  }
  const { account } = context;
  const tally = new BookTally(context, converter);
  return {
    add: (batch) => tally.add(batch),
    end() {
      const { journals } = tally;
      return [
        ...(xero === null ? [] : xeroFiles(journals, account, xero)),
        ...(quickbooks === null ? [] : quickBooksFiles(journals, account, quickbooks)),
        ...(datev === null ? [] : datevFiles(journals, context, datev, converter.to)),
      ];
    },
  };
}
