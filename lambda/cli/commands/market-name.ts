import { FillbookError } from "../../core/errors.ts";

/**
 * A market's name as the interface writes it, `<BASE>-<QUOTE>`. Only the service knows whether the market
 * exists.
 */
export function marketName(text: string): string {
  if (/^[^\s,/?#&-]+(?:-[^\s,/?#&-]+)+$/.test(text)) {
    return text;
  }
  throw new FillbookError("usage", `"${text}" is not the name of a market`, {
    hint: "a name has the form BASE-QUOTE, such as BTC-USD; list them with: fillbook markets",
  });
}
