import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { encodeWindows1252, NOT_WINDOWS_1252 } from "../../lambda/formats/windows-1252.ts";

/** unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT, bytes 0x80 to 0x9F. 0 means undefined. */
const CP1252 = [
  0x20_ac, 0, 0x20_1a, 0x01_92, 0x20_1e, 0x20_26, 0x20_20, 0x20_21, 0x02_c6, 0x20_30, 0x01_60, 0x20_39, 0x01_52, 0,
  0x01_7d, 0, 0, 0x20_18, 0x20_19, 0x20_1c, 0x20_1d, 0x20_22, 0x20_13, 0x20_14, 0x02_dc, 0x21_22, 0x01_61, 0x20_3a,
  0x01_53, 0, 0x01_7e, 0x01_78,
];

const codeOf = (byte: number) => (byte < 0x80 || byte > 0x9f ? byte : (CP1252[byte - 0x80] ?? 0));

describe("Windows-1252", () => {
  plainTest("has a byte for each character of its table", () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter(
      (byte) => (byte >= 0x20 && byte !== 0x7f && codeOf(byte) !== 0) || byte === 0x0a || byte === 0x0d,
    );
    const text = String.fromCodePoint(...bytes.map(codeOf));
    expect([...encodeWindows1252(text)]).toEqual(bytes);
    expect(text.replace(NOT_WINDOWS_1252, "?")).toBe(text);
  });

  test.prop([fc.string({ unit: "binary" })])("refuses all other characters", (text) => {
    const known = new Set(Array.from({ length: 256 }, (_, byte) => codeOf(byte)));
    const isKnown = [...text].every((character) => {
      const code = character.codePointAt(0) ?? 0;
      return known.has(code) && (code >= 0x20 || code === 0x0a || code === 0x0d) && code !== 0x7f && code !== 0;
    });
    if (isKnown) {
      expect(encodeWindows1252(text)).toHaveLength(text.length);
    } else {
      expect(() => encodeWindows1252(text)).toThrow(/not in Windows-1252/);
    }
    expect(() => encodeWindows1252(text.replace(NOT_WINDOWS_1252, "?"))).not.toThrow();
  });
});
