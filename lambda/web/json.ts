import { isRecord } from "../core/record.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Of what is no object, none. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Of the object that a text is the JSON of; of any other text, none. */
export function fieldsIn(text: string): Fields {
  return fieldsOf(jsonIn(text));
}

/** Null: the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Null: no text, an empty one, or a longer one. */
export function textIn(fields: Fields, name: string, longest: number): string | null {
  const value = fields[name];
  return typeof value === "string" && value !== "" && value.length <= longest ? value : null;
}
