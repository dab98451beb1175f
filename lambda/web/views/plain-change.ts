import { METHOD_NAMES } from "../../accounting/method.ts";
import type { PackChange } from "../packs.ts";

const SOURCE = "completeness.json: ";

interface Words {
  readonly pattern: RegExp;
  readonly what: string;
  readonly value?: (text: string) => string;
}

const YES_NO = (text: string): string => ({ true: "yes", false: "no" })[text] ?? text;
const METHODS: ReadonlyMap<string, string> = new Map(Object.entries(METHOD_NAMES));
const METHOD = (text: string): string =>
  text
    .split(", ")
    .map((name) => METHODS.get(name) ?? name)
    .join(", ");
const ORIGINS: Readonly<Record<string, string>> = {
  assumed_flat: "assumed to be nil",
  declared: "declared by the user",
  unknown: "not known",
};

/** What the names of completeness.json mean, first match first. `$1`: the part in brackets. */
const WORDS: readonly Words[] = [
  { pattern: /^method$/, what: "Method", value: METHOD },
  { pattern: /^method chosen$/, what: "The method was chosen", value: YES_NO },
  { pattern: /^accounts methods$/, what: "Method, and the one for comparison", value: METHOD },
  { pattern: /^basis$/, what: "Period cut-off by the time of the" },
  { pattern: /^complete$/, what: "The pack is complete", value: YES_NO },
  { pattern: /^accounts fundingIncluded$/, what: "Funding is included", value: YES_NO },
  { pattern: /^accounts report currency$/, what: "Converted into" },
  { pattern: /^accounts from beginning$/, what: "Records reach back to the account's beginning", value: YES_NO },
  { pattern: /^accounts covered since$/, what: "Records begin" },
  { pattern: /^accounts net realised pnl (.+) partial$/, what: "$1: the total is a partial total", value: YES_NO },
  { pattern: /^accounts markets (.+) opening$/, what: "$1: opening position", value: (text) => ORIGINS[text] ?? text },
  { pattern: /^accounts markets (.+) contract type$/, what: "$1: contract type" },
  { pattern: /^accounts markets (.+) pnl unknown$/, what: "$1: why its PnL is not known" },
  { pattern: /^totals fills$/, what: "Fills" },
  { pattern: /^totals fills with exceptions$/, what: "Fills with exceptions" },
  { pattern: /^totals exceptions$/, what: "Exceptions" },
  { pattern: /^totals restatements late$/, what: "Fills that came late" },
  { pattern: /^totals restatements changed$/, what: "Fills that changed" },
  { pattern: /^totals restatements enriched$/, what: "Fills that gained detail" },
  { pattern: /^totals escaped cells$/, what: "Cells that begin with an apostrophe, for spreadsheets" },
  { pattern: /^coverage$/, what: "Read to the end" },
  { pattern: /^gaps$/, what: "Not read" },
  { pattern: /^assumed silence days$/, what: "Days asked for at once where there are no fills, at most" },
  { pattern: /^assumed vanished fills$/, what: "Fills that the venue no longer reports" },
  { pattern: /^months (\S+) rows$/, what: "Fills of $1" },
  { pattern: /^months (\S+) covered$/, what: "$1 was read in full", value: YES_NO },
  { pattern: /^months (\S+) first$/, what: "First fill of $1" },
  { pattern: /^months (\S+) last$/, what: "Last fill of $1" },
  { pattern: /^breaks (.+) (from|to|quantity|position|average price|evidence)$/, what: "Declared break in $1: $2" },
];
/** The table of totals has them. */
const SHOWN_ELSEWHERE = /^accounts net realised pnl /;
const INPUT = /^accounts inputs inputs\/(?<name>.+) sha256$/;

/** The differing figures of completeness.json in words; other changes as they are. */
export function plainChanges(changes: readonly PackChange[]): PackChange[] {
  return changes.flatMap((change) => {
    const { what, before, after } = change;
    if (!what.startsWith(SOURCE)) {
      return [change];
    }
    const name = what.slice(SOURCE.length);
    const input = INPUT.exec(name)?.groups?.["name"];
    if (input !== undefined) {
      return [inputChange(input, before, after)];
    }
    const words = WORDS.find(({ pattern }) => pattern.test(name));
    if (words === undefined) {
      return SHOWN_ELSEWHERE.test(name) ? [] : [{ what: name, before: plainTimes(before), after: plainTimes(after) }];
    }
    const { value = plainTimes } = words;
    return [{ what: name.replace(words.pattern, words.what), before: value(before), after: value(after) }];
  });
}

function inputChange(name: string, before: string, after: string): PackChange {
  const used = (hash: string, other: string) => (hash === "" ? "not used" : other);
  const what = `Your file ${name}`;
  return {
    what,
    before: used(before, "used"),
    after: used(after, before === "" ? "used" : "used, with other content"),
  };
}

/** `2025-03-05 00:00 UTC` for `2025-03-05T00:00:00.000Z`. */
function plainTimes(text: string): string {
  return text.replaceAll(/\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d):00\.000Z/g, "$1 $2 UTC");
}
