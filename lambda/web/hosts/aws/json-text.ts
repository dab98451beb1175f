export type Fields = Readonly<Record<string, unknown>>;

/** A JSON object's fields; of what is none, no fields. */
export function objectIn(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Null: no text, an empty one, or a longer one. */
export function textIn(fields: Fields, name: string, longest: number): string | null {
  const value = fields[name];
  return typeof value === "string" && value !== "" && value.length <= longest ? value : null;
}
