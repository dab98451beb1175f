/**
 * Every tool reads this as text: letters and digits of any script, and a few marks of which only the hyphen
 * could begin a formula.
 */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}._:-]*$/u;
const NOT_PLAIN = /^-|[^\p{L}\p{N}._:-]/gu;
const LEADING_MARK = /^[._:]/;

/**
 * A name as the import files write it. Usual names stay as they are. Any other UTF-16 unit becomes `%` and
 * its four hexadecimal digits. So no cell needs quotes, breaks a line or begins a formula, and two names
 * never become one.
 */
export function plain(name: string): string {
  return PLAIN.test(name) ? name : name.replace(NOT_PLAIN, escapeUnits).replace(LEADING_MARK, escapeUnits);
}

/** `%` and the four hexadecimal digits of each UTF-16 unit. */
function escapeUnits(text: string): string {
  let escaped = "";
  for (let at = 0; at < text.length; at += 1) {
    escaped += `%${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0")}`;
  }
  return escaped;
}
