import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMultipart, type SentForm } from "../../lambda/web/multipart.ts";

const BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** In a form that tests can compare. */
function plain(form: SentForm | null) {
  return (
    form && {
      fields: Object.fromEntries(form.fields),
      file: form.file && { name: form.file.name, bytes: Buffer.from(form.file.bytes).toString("latin1") },
    }
  );
}

function read(body: string, type = TYPE) {
  return plain(readMultipart(type, Buffer.from(body, "latin1")));
}

/** These parts between their boundaries. */
function bodyOf(...parts: readonly string[]): string {
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join("")}--${BOUNDARY}--\r\n`;
}

const FIELD = 'Content-Disposition: form-data; name="csrf"\r\n\r\nabc';
const FILE =
  'Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nx,y\r\n1,2\r\n';

// Chromium 141 sent this for a form with a text field and a file with a quote in its name.
test("reads what Chromium sends", () => {
  const body = [
    "------WebKitFormBoundaryHL6fPCjnuCX1Nn5k",
    'Content-Disposition: form-data; name="csrf"',
    "",
    "token",
    "------WebKitFormBoundaryHL6fPCjnuCX1Nn5k",
    'Content-Disposition: form-data; name="file"; filename="a%22b.csv"',
    "Content-Type: text/csv",
    "",
    "time,market\r\n",
    "------WebKitFormBoundaryHL6fPCjnuCX1Nn5k--",
    "",
  ].join("\r\n");
  expect(read(body, "multipart/form-data; boundary=----WebKitFormBoundaryHL6fPCjnuCX1Nn5k")).toEqual({
    fields: { csrf: "token" },
    file: { name: "a%22b.csv", bytes: "time,market\r\n" },
  });
});

test("reads what the runtime's own form sends, another implementation: the same fields and bytes", async () => {
  const content = fc.uint8Array({ maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
      fc.string(),
      async (bytes, name, text) => {
        const form = new FormData();
        form.set("csrf", text);
        form.set("file", new File([new Uint8Array(bytes)], name, { type: "text/csv" }));
        const sent = new Response(form);
        const body = new Uint8Array(await sent.clone().arrayBuffer());
        const read = readMultipart(sent.headers.get("content-type") ?? "", body);
        const expected = await sent.formData();
        expect(read?.fields.get("csrf")).toBe(expected.get("csrf"));
        expect(Buffer.from(read?.file?.bytes ?? [0])).toEqual(Buffer.from(bytes));
        // Browsers escape these three characters in a name, and a reader may leave them escaped.
        const escaped = name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
        expect(read === null || name.includes("\0") || read.file?.name === escaped.toWellFormed()).toBe(true);
        expect(read === null).toBe(name.includes("\0"));
      },
    ),
  );
});

describe("a body that no browser sends is refused", () => {
  test.each<[string, string, string?]>([
    ["nothing", ""],
    ["no boundary", bodyOf(FIELD), "multipart/form-data"],
    ["an empty boundary", bodyOf(FIELD), "multipart/form-data; boundary="],
    ["a boundary of 71 letters", bodyOf(FIELD), `multipart/form-data; boundary=${"x".repeat(71)}`],
    ["a second parameter", bodyOf(FIELD), `${TYPE}; charset=utf-8`],
    ["another type", bodyOf(FIELD), TYPE.replace("form-data", "mixed")],
    ["another boundary", bodyOf(FIELD), `${TYPE}x`],
    ["text before the first part", `hello\r\n${bodyOf(FIELD)}`],
    ["text after the last part", `${bodyOf(FIELD)}hello`],
    ["no end", bodyOf(FIELD).slice(0, -4)],
    ["an end in the middle of its line", bodyOf(FIELD).slice(0, -3)],
    ["a part that does not end", `--${BOUNDARY}\r\n${FIELD}`],
    ["line feeds alone", bodyOf(FIELD).replaceAll("\r\n", "\n")],
    ["a part without a head", bodyOf("abc")],
    ["a part without a disposition", bodyOf("Content-Type: text/csv\r\n\r\nabc")],
    ["a part without a name", bodyOf("Content-Disposition: form-data\r\n\r\nabc")],
    ["another disposition", bodyOf(FIELD.replace("form-data", "attachment"))],
    ["a name twice", bodyOf(FIELD, FIELD)],
    ["two files", bodyOf(FILE, FILE.replace('"file"', '"other"'))],
    ["two dispositions", bodyOf(`Content-Disposition: form-data; name="x"\r\n${FIELD}`)],
    ["a parameter twice", bodyOf(FIELD.replace('name="csrf"', 'name="csrf"; name="kind"'))],
    ["an encoded file name", bodyOf(FILE.replace("filename=", "filename*="))],
    ["a name that is not quoted", bodyOf(FIELD.replace('"csrf"', "csrf"))],
    ["a name with other characters", bodyOf(FIELD.replace("csrf", "__proto__"))],
    ["another header", bodyOf(`Content-Transfer-Encoding: base64\r\n${FILE}`)],
    ["a folded header", bodyOf(FILE.replace("; filename", ";\r\n filename"))],
    ["parts within a part", bodyOf(FILE.replace("text/csv", "multipart/mixed; boundary=b"))],
    ["a type for a field", bodyOf(FIELD.replace("\r\n\r\n", "\r\nContent-Type: text/plain\r\n\r\n"))],
    ["a file name with a NUL", bodyOf(FILE.replace("a.csv", "a\0.csv"))],
    ["a head that is too long", bodyOf(FILE.replace("a.csv", "a".repeat(5000)))],
    ["nine parts", bodyOf(..."abcdefghi".split("").map((name) => FIELD.replace("csrf", name)))],
  ])("%s", (_, body, type) => {
    expect(read(body, type)).toBeNull();
  });

  test("but the unchanged original of each is read", () => {
    expect(read(bodyOf(FIELD, FILE))).toEqual({
      fields: { csrf: "abc" },
      file: { name: "a.csv", bytes: "x,y\r\n1,2\r\n" },
    });
    expect(read(bodyOf(..."abcdefgh".split("").map((name) => FIELD.replace("csrf", name))))).not.toBeNull();
  });
});

test("a boundary inside a file ends it only after a line break", () => {
  const held = `a--${BOUNDARY}--\r\n-${BOUNDARY}`;
  expect(read(bodyOf(FILE.replace("x,y", held)))?.file?.bytes).toBe(`${held}\r\n1,2\r\n`);
});

describe("any body", () => {
  const piece = fc.oneof(
    fc.constantFrom(`--${BOUNDARY}`, "\r\n", "--", "\n", "\r", FIELD, FILE, '"', ";", "\0", BOUNDARY, "filename="),
    fc.string({ unit: "binary-ascii", maxLength: 20 }),
  );

  test("is read or refused: nothing throws, and a file is a piece of the body", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const body = pieces.join("");
        const form = read(body);
        expect(form === null || body.includes(form.file?.bytes ?? "")).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("with one changed byte gives the same bytes, other bytes or nothing", () => {
    const body = bodyOf(FIELD, FILE);
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const bytes = Buffer.from(body, "latin1");
        bytes[at] = byte;
        const form = plain(readMultipart(TYPE, bytes));
        expect(form === null || Object.keys(form.fields).length === 1).toBe(true);
        expect(form === null || bytes.toString("latin1").includes(form.file?.bytes ?? "")).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("with 64 MiB of false boundaries takes time only in proportion to its length", () => {
    const near = Buffer.alloc(64 * 1024 * 1024, `\r\n--${BOUNDARY.slice(0, -1)}`);
    const [head = "", tail = ""] = bodyOf(FILE.replace("x,y\r\n1,2\r\n", "@")).split("@");
    const form = readMultipart(TYPE, Buffer.concat([Buffer.from(head), near, Buffer.from(tail)]));
    expect(form?.file?.bytes.length).toBe(near.length);
  });
});
