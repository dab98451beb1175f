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

/** Texts that trouble HTML. */
export const MARKUP: readonly (readonly [name: string, text: string])[] = [
  ["a script", "<script>alert(1)</script>"],
  ["the end of the style sheet", "</style></title></textarea></svg></main><script>alert(1)</script><style>"],
  ["the end of an attribute", `"><img src=x onerror=alert(1)><a href='javascript:alert(1)' x="`],
  ["a quoted attribute", "' onmouseover='alert(1)"],
  ["an entity", "&lt;b&gt; &#60;i&#62; &amp &notanentity;"],
  ["a comment", "<!--><![CDATA[ --!> ]]>"],
  ["a template", "{{7*7}} `x` <?php x ?>"],
  ["a formula", "=cmd|' /C calc'!A0"],
  ["direction marks", "\u202Eevil\u2066\u200F\u061Cabc"],
  ["right-to-left text", "שלום"],
  ["characters that HTML cannot hold", "a\0b\u0007c\u0085d\uFFFEe\uD800f\u{1FFFF}g\uDC00"],
  ["line breaks", "a\r\nb\rc\n"],
  ["a long text", "<x>".repeat(2 ** 16 / 3)],
];
