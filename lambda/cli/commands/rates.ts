import { PUBLISHED_RATES, type PublishedRates } from "../../accounting/rates/published.ts";
import { FillbookError } from "../../core/errors.ts";
import { nearest } from "../../core/suggest.ts";
import { sizeText } from "../../core/text.ts";
import { giveInput, type InputsPlace } from "../../job/give-input.ts";
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
    if (chosen !== null) {
      return (live) => copy(live, chosen, inputs);
    }
    if (inputs !== undefined) {
      throw new FillbookError("usage", "--inputs needs the name of a file to copy", {
        hint: `write one of ${NAMES.join(", ")}, as: fillbook rates ${NAMES[0]} --inputs ${inputs}`,
      });
    }
    return list;
  },
};

function readChosen({ words: [name, extra] }: Args): PublishedRates | null {
  if (name === undefined) {
    return null;
  }
  if (extra !== undefined) {
    throw new FillbookError("usage", `only one name can be given: unexpected "${extra}"`, {
      hint: "run the command once for each file",
    });
  }
  const found = PUBLISHED_RATES.find((one) => one.name === name);
  if (found !== undefined) {
    return found;
  }
  const near = nearest(name.toLowerCase(), NAMES);
  throw new FillbookError("usage", `fillbook has no rates with the name "${name}"`, {
    hint: near === undefined ? `the names are ${NAMES.join(", ")}` : `did you mean: fillbook rates ${near}`,
  });
}

async function list(): Promise<Outcome> {
  const all = await Promise.all(PUBLISHED_RATES.map(async (one) => ({ ...one, ...(await readPublished(one)) })));
  const rows = all.map(({ name, what, from, to, bytes }) => [name, what, from, to, sizeText(bytes.length)]);
  return {
    json: { rates: all.map(({ bytes, ...one }) => ({ ...one, bytes: bytes.length })) },
    lines: [
      ...table(["name", "what", "first day", "last day", "size"], rows),
      ...new Set(all.map(({ licence }) => licence)),
    ],
  };
}

async function copy(live: CommandContext, chosen: PublishedRates, inputs: string | undefined): Promise<Outcome> {
  const { bytes, sha256 } = await readPublished(chosen);
  const place: InputsPlace =
    inputs === undefined
      ? { kind: "store", store: await live.store(), account: live.settings.account }
      : { kind: "folder", path: inputs };
  const { location, isNew } = await giveInput(place, `rates/${chosen.file}`, bytes);
  return {
    json: { name: chosen.name, file: location, isNew, bytes: bytes.length, sha256 },
    lines: [
      isNew
        ? `${location}: ${chosen.what}, ${chosen.from} to ${chosen.to}`
        : `${location} is there already, with the same content`,
      chosen.licence,
    ],
  };
}
