import { netOf, sumOf } from "../../accounting/aggregate.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import type { Statement } from "../../accounting/statement.ts";
import { ZERO } from "../../core/amount.ts";
import { formatMoney, minorUnit } from "../../core/currency.ts";
import { counted } from "../../core/text.ts";
import type { PackRequest } from "./request.ts";

const NOTHING = { gross: ZERO, fees: ZERO };
/** The most currencies that are named. */
const MOST = 5;
/** The most characters of a currency's name. */
const LONGEST = 20;

/**
 * Says by how much the two methods of a pack differ, if it is more than one minor unit (a cent) in some
 * currency. The method decides what is filed, so nobody should choose without knowing. Null: they do not
 * differ.
 */
export function methodNoteOf(
  { marketMonths, compared, methods }: Statement,
  { isMethodChosen }: Pick<PackRequest, "isMethodChosen">,
): string | null {
  const [own, beside] = [METHOD_NAMES[methods.primary], METHOD_NAMES[methods.reference]];
  const totals = [...Map.groupBy(marketMonths, ({ currency }) => currency)].flatMap(([currency, some]) => {
    const primary = netOf(sumOf(some));
    const reference = netOf(compared.get(currency) ?? NOTHING);
    return primary.minus(reference).abs().gt(minorUnit(currency))
      ? [
          `${formatMoney(primary, currency)} ${currency.slice(0, LONGEST)} by ${own} and ${formatMoney(reference, currency)} by ${beside}`,
        ]
      : [];
  });
  if (totals.length === 0) {
    return null;
  }
  const choice = isMethodChosen
    ? `${own} was chosen`
    : `No method was chosen, so ${own} was used: choose one with --method`;
  const more =
    totals.length > MOST ? `; and in ${counted(totals.length - MOST, "more currency", "more currencies")}` : "";
  return `known realised PnL, net of fees and excluding funding, depends on the method: ${totals.slice(0, MOST).join("; ")}${more}. ${choice}`;
}
