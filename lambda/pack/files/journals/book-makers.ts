import type { Converter } from "../../../accounting/rates/converter.ts";
import type { AccountSettings } from "../../build/account-settings.ts";
import type { PackContext } from "../../build/maker.ts";
import type { BookMaker } from "./book-maker.ts";
import { quickBooksMaker } from "./quickbooks.ts";
import { xeroMaker } from "./xero.ts";

/** The files for accounting packages that accounts.json sets up: none that would have a header only. `converter`: into the book currency. */
export function bookMakers(
  context: PackContext,
  { xero, quickbooks }: AccountSettings,
  converter: Converter | null,
): readonly BookMaker[] {
  if (converter === null) {
    return [];
  }
  return [
    ...(xero === null ? [] : [xeroMaker(context, xero, converter)]),
    ...(quickbooks === null ? [] : [quickBooksMaker(context, quickbooks, converter)]),
  ];
}
