import { netOf, sumOf } from "../../accounting/aggregate.ts";
import { type Amount, formatMinor } from "../../accounting/amount.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import type { Statement } from "../../accounting/statement.ts";
import { magnitude } from "../../core/decimal.ts";
import type { PackRequest } from "./request.ts";

/** 0.01 of a currency. */
const CENT: Amount = 10n ** 34n;

/**
 * What the two methods of a pack make of its period, where they differ by more than a cent in some currency: the method decides what is filed, so nobody
 * should take one without knowing. Null: they do not differ.
 */
export function methodNoteOf(
  { cells, methods, chosen }: Statement,
  { isMethodChosen }: Pick<PackRequest, "isMethodChosen">,
): string | null {
  const other = chosen === 0 ? 1 : 0;
  const [own, beside] = [METHOD_NAMES[methods[chosen]], METHOD_NAMES[methods[other]]];
  const totals = [...Map.groupBy(cells, ({ currency }) => currency)].flatMap(([currency, some]) => {
    const sum = sumOf(some);
    const [net, besides] = [netOf(sum, chosen), netOf(sum, other)];
    return magnitude(net - besides) > CENT
      ? [
          `${formatMinor(net, currency)} ${currency} by ${own} and ${formatMinor(besides, currency)} ${currency} by ${beside}`,
        ]
      : [];
  });
  if (totals.length === 0) {
    return null;
  }
  const choice = isMethodChosen
    ? `${own} was chosen`
    : `no method was chosen, so ${own} was used: choose one with --method`;
  return `realised PnL net of fees, excluding funding, depends on the method: ${totals.join("; ")}. ${choice[0]?.toUpperCase()}${choice.slice(1)}`;
}
