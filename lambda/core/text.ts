/** Orders texts by code unit, so that the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

/** Digits in threes: `20,134`. */
export function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number of things: `20,134`. */
export function count(value: number): string {
  return grouped(String(value));
}

/** `1 fill`, `20,134 fills` */
export function counted(value: number, one: string, more = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : more}`;
}

/** `hedge, main and 3 more`: the first so many. */
export function listed(names: readonly string[], most = names.length, separator = ", "): string {
  const left = names.length - most;
  return names.slice(0, most).join(separator) + (left > 0 ? ` and ${count(left)} more` : "");
}

/** The first so many of some texts, and one that says how many more there are. */
export function firstOf(texts: readonly string[], most: number, more: (left: number) => string): readonly string[] {
  const left = texts.length - most;
  return left > 0 ? [...texts.slice(0, most), more(left)] : texts;
}

/** A rate per second: one decimal below ten, a whole number from ten on. */
export function rateText(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}
