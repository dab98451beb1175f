/**
 * Texts that look like formulas, numbers, markup or escapes to a spreadsheet, and that a cell can hold
 * unchanged.
 */
export const LOOKALIKES: readonly string[] = [
  "=1+1",
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://x.test","y")',
  "+1+1",
  "-2",
  "@SUM(A1)",
  "\t=1",
  "＝1+1",
  "#N/A",
  "#REF!",
  "TRUE",
  "12345678901234567890",
  "007",
  "1E5",
  "2025-03-01",
  "<script>alert(1)</script>",
  "]]></t></is></c><c><f>1+1</f></c>",
  "&quot;&#61;1 &amp; <!-- -->",
  "\"quoted\", and 'single'",
  " spaces \t tab ",
  "line\nbreak",
  "\u202Eover\u200Fride\u2066",
  "😀",
  "_x0041_",
  "_x000D_ and _x005F_",
  "__x0041__",
];

/** Texts that a cell cannot hold unchanged. */
export const UNHELD: readonly string[] = [
  "\r=1",
  "line\r\nbreak\nand\rthird",
  "nul\0 and \u0008 and \u001B",
  "\uD800 lone \uDC00",
  "\uFFFE\uFFFF",
  "x".repeat(1_048_576),
];
