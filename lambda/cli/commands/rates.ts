import { PUBLISHED_RATES, type PublishedRates } from "../../accounting/rates/published.ts";
import { usageError } from "../../core/errors.ts";
import { nearest } from "../../core/suggest.ts";
import { sizeText } from "../../core/text.ts";
import { giveInput } from "../../job/give-input.ts";
import { readPublished } from "../published-rates.ts";
import { table } from "../terminal-text.ts";
import type { Args, Command, CommandContext, Outcome } from "./command.ts";
import { readFolder } from "./range.ts";

const NAMES = PUBLISHED_RATES.map(({ name }) => name);

export const rates: Command = {
  words: "[NAME]",
  about: [
    "Without a name, it lists the files: their content, first and last day, and terms of use.",
    "With a name, it copies that file unchanged (the ECB's without the days before 2022) into the folder rates of your files: in --inputs, or else in ACCOUNT/inputs/ of the store. export --currency finds it there. Nothing is overwritten.",
    "A pack is converted only with the rates among your files, and contains a copy of each. Newer rates are available from the publishers.",
  ],
  options: { "inputs DIR": "the folder with your files (default: ACCOUNT/inputs/ in the store)" },
  example: "fillbook rates ecb",
  plan(given) {
    const chosen = readChosen(given);
    const inputs = readFolder(given, "inputs", "./inputs");
    if (chosen === null && inputs !== undefined) {
      const hint = `write one of ${NAMES.join(", ")}, as: fillbook rates ${NAMES[0]} --inputs ${inputs}`;
      throw usageError("--inputs needs the name of a file to copy", hint);
    }
    return (live) => (chosen === null ? list() : copy(live, chosen, inputs));
  },
};

function readChosen({ words: [name] }: Args): PublishedRates | null {
  const found = PUBLISHED_RATES.find((one) => one.name === name) ?? null;
  if (name === undefined || found !== null) {
    return found;
  }
  const near = nearest(name.toLowerCase(), NAMES);
  const hint = near === undefined ? `the names are ${NAMES.join(", ")}` : `did you mean: fillbook rates ${near}`;
  throw usageError(`fillbook has no rates with the name "${name}"`, hint);
}

async function list(): Promise<Outcome> {
  const all = await Promise.all(
    PUBLISHED_RATES.map(async (one) => ({ ...one, bytes: (await readPublished(one)).length })),
  );
  const rows = all.map(({ name, what, from, to, bytes }) => [name, what, from, to, sizeText(bytes)]);
  const terms = new Set(all.map(({ licence }) => licence));
  return { json: { rates: all }, lines: [...table(["name", "what", "first day", "last day", "size"], rows), ...terms] };
}

async function copy(live: CommandContext, chosen: PublishedRates, inputs: string | undefined): Promise<Outcome> {
  const { name, file, what, from, to, licence } = chosen;
  const bytes = await readPublished(chosen);
  const place = inputs ?? { store: await live.store(), account: live.settings.account };
  const { location, isNew } = await giveInput(place, `rates/${file}`, bytes);
  const done = isNew ? `: ${what}, ${from} to ${to}` : " is there already, with the same content";
  return { json: { name, file: location, isNew, bytes: bytes.length }, lines: [location + done, licence] };
}
