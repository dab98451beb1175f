import { PUBLISHED_RATES, type PublishedRates } from "../../accounting/rates/published.ts";
import { FillbookError } from "../../core/errors.ts";
import { nearest } from "../../core/suggest.ts";
import { giveInput, type InputsPlace } from "../../job/give-input.ts";
import { readPublished } from "../published-rates.ts";
import { size, table } from "../terminal-text.ts";
import type { Args, Command, CommandContext, Outcome } from "./command.ts";
import { readFolder } from "./folder.ts";

const NAMES = PUBLISHED_RATES.map(({ name }) => name);

export const rates: Command = {
  summary: "exchange rates that come with fillbook: list them, or put a file of them among yours",
  usage: "[NAME] [--inputs DIR]",
  about: [
    "Without a name it lists the files: what they hold, from which day to which, and on what terms.",
    "With one it copies that file, as its publisher gives it (the ECB's without the days before 2022), into the folder rates of your files: those in --inputs, or else the store's ACCOUNT/inputs/. There export --currency finds it. Nothing is overwritten.",
    "A pack is converted by the files among yours alone, and has a copy of each: nothing is taken from fillbook unseen. Newer rates are at the publishers.",
  ],
  takesWords: true,
  words: NAMES,
  options: { inputs: { value: "DIR", help: "the folder with your files (default: the store's ACCOUNT/inputs/)" } },
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

function readChosen({ positionals: [name, extra] }: Args): PublishedRates | null {
  if (name === undefined) {
    return null;
  }
  if (extra !== undefined) {
    throw new FillbookError("usage", `one name is expected, and "${extra}" is a second one`, {
      hint: "copy one file after the other",
    });
  }
  const found = PUBLISHED_RATES.find((one) => one.name === name);
  if (found !== undefined) {
    return found;
  }
  const near = nearest(name.toLowerCase(), NAMES);
  throw new FillbookError("usage", `no rates with the name "${name}" come with fillbook`, {
    hint: near === undefined ? `the names are ${NAMES.join(", ")}` : `did you mean: fillbook rates ${near}`,
  });
}

async function list(): Promise<Outcome> {
  const all = await Promise.all(PUBLISHED_RATES.map(async (one) => ({ ...one, ...(await readPublished(one)) })));
  const rows = all.map(({ name, what, from, to, bytes }) => [name, what, from, to, size(bytes.length)]);
  return {
    json: { rates: all.map(({ bytes, ...one }) => ({ ...one, bytes: bytes.length })) },
    lines: [
      ...table(["name", "what", "first day", "last day", "size"], rows),
      ...new Set(all.map(({ licence }) => licence)),
    ],
    problem: null,
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
    problem: null,
  };
}
