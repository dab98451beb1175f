/**
 * JSON text with the keys of every object in code-unit order. Equal values give equal text, whatever the
 * order of the service's fields. Unlike JSON.stringify it keeps everything that `JSON.parse` can produce:
 * `-0`, and the infinity from a number such as 1e400. Lone surrogates are escaped, so that the text is valid
 * UTF-8. Anything that JSON cannot hold is a fault.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number") {
    return numberText(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    if (!isPlain(value)) {
      throw new TypeError(`not a JSON value: ${value.constructor.name}`);
    }
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) {
    throw new TypeError(`not a JSON value: ${typeof value}`);
  }
  return text;
}

/** Not an instance of a class, whose properties may not be its own. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) {
    throw new TypeError("not a JSON value: NaN");
  }
  if (Number.isFinite(value)) {
    return Object.is(value, -0) ? "-0" : JSON.stringify(value);
  }
  return value > 0 ? "1e999" : "-1e999";
}
