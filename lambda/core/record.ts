export type Fields = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object; none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The fields of the JSON object in a text; none for any other text. */
export function fieldsIn(text: string): Fields {
  return fieldsOf(jsonIn(text));
}

/** Null if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Null if the field is not a text, is empty, or is longer than `longest`. */
export function textIn(fields: Fields, name: string, longest: number): string | null {
  const value = fields[name];
  return typeof value === "string" && value !== "" && value.length <= longest ? value : null;
}
