/** A setting as it was given, or its default. */
export interface Given {
  readonly name: string;
  readonly text: string;
  /** Where it comes from, for messages: `fillbook.json`. Null: from the context, or it is the default. */
  readonly from: string | null;
}

/** The first of the sources that has a value. */
export function firstGiven(name: string, sources: readonly (readonly [value: unknown, from: string | null])[]): Given {
  const [value, from] = sources.find(([one]) => one !== undefined && one !== null) ?? ["", null];
  return { name, text: String(value).trim(), from }; // of a list: its members with commas between them
}

export function wrong({ name, text, from }: Given, accepted: string): Error {
  const where = from === null ? "" : ` (from ${from})`;
  return new Error(`setting ${name} is "${text}", but must be ${accepted}${where}`);
}

export function oneOf<T extends string>(given: Given, choices: readonly T[]): T {
  const chosen = choices.find((choice) => choice === given.text);
  if (chosen === undefined) {
    throw wrong(given, choices.join(" or "));
  }
  return chosen;
}
