import { FillbookError } from "../../core/errors.ts";
import { MAX_AGE_DAYS } from "./find-in-file.ts";
import type { RateFile } from "./rate-file.ts";

interface Missing {
  readonly from: string;
  readonly to: string;
  readonly day: string;
  readonly files: readonly RateFile[];
  readonly pars: Readonly<Record<string, string>>;
  /** The currencies of all files and pars. */
  readonly known: ReadonlySet<string>;
}

const MOST_FILES = 8;

/** Says which rate is missing, where it was looked for, and what to add. */
export function missingRate({ from, to, day, files, pars, known }: Missing): FillbookError {
  const looked = files.map(({ name, label, span }) => `${name} (${label}, ${span.from} to ${span.to})`);
  const declared = Object.entries(pars).map(([one, other]) => `1 ${one} = 1 ${other}`);
  const places = [
    ...looked.slice(0, MOST_FILES),
    ...(looked.length > MOST_FILES ? [`${looked.length - MOST_FILES} more`] : []),
  ];
  const unknown = [from, to].filter((currency) => !known.has(currency));
  const why =
    unknown.length === 0
      ? `they have both currencies, but no way between them for that day (a day's rate counts for the ${MAX_AGE_DAYS} days after it, one of a period within it)`
      : `none of them has ${unknown.join(" or ")}`;
  const where =
    files.length === 0
      ? "no rate file was given"
      : `looked at ${places.join(", ")}${declared.length === 0 ? "" : ` and the pars ${declared.join(", ")}`}; ${why}`;
  return new FillbookError("usage", `no rate from ${from} to ${to} for ${day}: ${where}`, {
    hint: `put a file that has it into the folder rates: one of a central bank or tax office, or a CSV with the headings date,base,quote,rate,source and the line ${day},${from},${to},RATE,"where it is from"; a currency that you hold to be worth another can be declared at par in accounts.json`,
  });
}
