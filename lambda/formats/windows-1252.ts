/**
 * Bytes 0x80 to 0x9F; a space means that there is no character. All other bytes equal Unicode (0x20 to 0x7E,
 * 0xA0 to 0xFF).
 */
const MIDDLE = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** A UTF-16 unit that Windows-1252 cannot write. Control characters other than line breaks are among them. */
export const NOT_WINDOWS_1252 = new RegExp(`[^\r\n -~\u00A0-\u00FF${MIDDLE}]`, "g");

/** Throws RangeError for anything that NOT_WINDOWS_1252 finds. */
export function encodeWindows1252(text: string): Uint8Array {
  if (text.search(NOT_WINDOWS_1252) !== -1) {
    throw new RangeError(`not in Windows-1252: ${JSON.stringify(text.match(NOT_WINDOWS_1252)?.[0])}`);
  }
  return Uint8Array.from(text, (character) => {
    const at = MIDDLE.indexOf(character);
    return at === -1 || character === " " ? character.charCodeAt(0) : 0x80 + at;
  });
}
