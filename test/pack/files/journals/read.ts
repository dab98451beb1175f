/** What both journals say of their entries, line by line: what they add up to is read by the programs themselves. */
export interface ReadEntry {
  readonly day: string;
  readonly flag: string;
  readonly time: string;
}

export function readEntries(journal: string): ReadEntry[] {
  return journal.split("\n\n").flatMap((block) => {
    const { day, flag } = /^(?<day>\d{4}-\d{2}-\d{2}) (?<flag>[*!]) /m.exec(block)?.groups ?? {};
    const { time } = /(?:filled-at|tx-created|paid-at): "?(?<time>[-:.TZ\d]+)/.exec(block)?.groups ?? {};
    return day === undefined || flag === undefined || time === undefined ? [] : [{ day, flag, time }];
  });
}

/** × 10^40 */
export function exact(text: string): bigint {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole + fraction.padEnd(40, "0"));
  return text.startsWith("-") ? -value : value;
}
