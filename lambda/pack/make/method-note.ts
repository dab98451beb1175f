import { comparedOf, ownOf } from "../../accounting/cube/figures.ts";
import { type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { formatMoney, minorUnit } from "../../core/currency.ts";
import { listed } from "../../core/text.ts";
import type { PackContext } from "./maker.ts";

const NET = "realised_pnl_net_of_fees_excl_funding";
/** The most currencies that are named. */
const MOST = 5;
/** The most characters of a currency's name. */
const LONGEST = 20;

/**
 * Says by how much the two methods of a pack differ, if it is more than one minor unit (a cent) in some
 * currency. The method decides what is filed, so nobody should choose without knowing. Null: they do not
 * differ.
 */
export function methodNoteOf(sums: Sums, { methods, isMethodChosen }: PackContext): string | null {
  const [own, beside] = [METHOD_NAMES[methods.primary], METHOD_NAMES[methods.reference]];
  const totals = scopesOf(sums, ["currency"]).flatMap((scope) => {
    const currency = scope.cell.currency ?? "";
    const [primary, reference] = [ownOf(NET, scope).amount, comparedOf(NET, scope).amount];
    const differ = primary !== null && reference !== null && primary.minus(reference).abs().gt(minorUnit(currency));
    const [one, other] = [primary, reference].map((amount) => amount && formatMoney(amount, currency));
    return differ ? `${one} ${currency.slice(0, LONGEST)} by ${own} and ${other} by ${beside}` : [];
  });
  if (totals.length === 0) {
    return null;
  }
  const choice = isMethodChosen
    ? `${own} was chosen`
    : `No method was chosen, so ${own} was used: choose the one that applies`;
  return `known realised PnL, net of fees and excluding funding, depends on the method: ${listed(totals, MOST, "; ")}. ${choice}`;
}
