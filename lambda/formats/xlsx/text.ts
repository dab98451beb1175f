/** The most UTF-16 units that a cell can hold. */
export const CELL_CHARACTERS = 32_767;

/** Text that needs neither a check nor an escape. */
const PLAIN = /^[ !#-%'-;=?-^`-~]*$/;

/** Text for an element or an attribute. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/**
 * A cell's text as it can stand in XML. What is too long is cut and says so; line breaks are line feeds;
 * characters that XML cannot hold, and controls, are shown as U+FFFD. `_x0041_` would be read as `A`: its
 * underscore is written as the format's own `_x005F_`.
 */
export function cellXml(text: string): string {
  return PLAIN.test(text) && text.length <= CELL_CHARACTERS
    ? text
    : escapeXml(cellText(text)).replaceAll(ESCAPE, "_x005F_");
}

const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** What a reader finds in the cell. */
export function cellText(text: string): string {
  const mark = ` … cut: the full text has ${text.length} characters`;
  const held = text.length <= CELL_CHARACTERS ? text : text.slice(0, CELL_CHARACTERS - mark.length) + mark;
  return held
    .replaceAll(/\r\n?/g, "\n")
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, "\uFFFD");
}
