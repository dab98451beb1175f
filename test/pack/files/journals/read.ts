/** A reader of both journals' entries, line by line: of what our files hold, not of the programs' grammars. */

export interface ReadPosting {
  readonly account: string;
  /** As written. */
  readonly text: string;
  readonly commodity: string;
}

export interface ReadEntry {
  readonly day: string;
  readonly flag: string;
  readonly time: string;
  readonly postings: readonly ReadPosting[];
}

const POSTING = /^ +(?<account>[A-Za-z]+:\S+) {4,}(?<text>-?\d+(?:\.\d+)?) "?(?<commodity>[A-Z0-9-]+)"?$/;

export function readEntries(journal: string): ReadEntry[] {
  return journal.split("\n\n").flatMap((block) => {
    const lines = block.split("\n").filter((line) => line !== "");
    const at = lines.findIndex((line) => /^\d{4}-\d{2}-\d{2} [*!] /.test(line));
    const body = lines.slice(at);
    if (at === -1 || !body.some((line) => /(?:filled-at|tx-created|paid-at): /.test(line))) {
      return [];
    }
    const time = /(?:filled-at|tx-created|paid-at): "?(?<time>[-:.TZ\d]+)/.exec(block)?.groups?.["time"] ?? "";
    return [
      {
        day: body[0]?.slice(0, 10) ?? "",
        flag: body[0]?.slice(11, 12) ?? "",
        time,
        postings: body.flatMap((line) => {
          const { account = "", text = "", commodity = "" } = POSTING.exec(line)?.groups ?? {};
          return account === "" ? [] : [{ account, text, commodity }];
        }),
      },
    ];
  });
}

/** × 10^40 */
export function exact(text: string): bigint {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole + fraction.padEnd(40, "0"));
  return text.startsWith("-") ? -value : value;
}

/** By account and commodity, × 10^40. */
export function sumsOf(entries: readonly ReadEntry[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { account, commodity, text } of entries.flatMap(({ postings }) => postings)) {
    const key = `${account} ${commodity}`;
    sums.set(key, (sums.get(key) ?? 0n) + exact(text));
  }
  return sums;
}
