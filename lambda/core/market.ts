/** The part after the last hyphen of `<BASE>-<QUOTE>`. Null if the market's name has another form. */
export function quoteCurrencyOf(market: string | null): string | null {
  const hyphen = market?.lastIndexOf("-") ?? -1;
  const quote = market?.slice(hyphen + 1) ?? "";
  return hyphen > 0 && quote !== "" ? quote : null;
}
