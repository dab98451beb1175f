import fc from "fast-check";
import { expect, test } from "vitest";
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

async function read(body: string, type = TYPE) {
  return plain(await readMultipart(type, Buffer.from(body, "latin1")));
}

/** These parts between their boundaries. */
function bodyOf(...parts: readonly string[]): string {
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join("")}--${BOUNDARY}--\r\n`;
}

const FIELD = 'Content-Disposition: form-data; name="csrf"\r\n\r\nabc';
const FILE =
  'Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nx,y\r\n1,2\r\n';

// Chromium 141 sent this for a form with a text field and a file with a quote in its name.
test("reads what Chromium sends", async () => {
  expect(await read(bodyOf(FIELD, FILE.replace("a.csv", "a%22b.csv")))).toEqual({
    fields: { csrf: "abc" },
    file: { name: 'a"b.csv', bytes: "x,y\r\n1,2\r\n" },
  });
});

test("reads what the runtime's own form sends: the same fields and bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.string(), async (bytes, text) => {
      const form = new FormData();
      form.set("csrf", text);
      form.set("file", new File([new Uint8Array(bytes)], "a.csv", { type: "text/csv" }));
      const sent = new Response(form);
      const read = await readMultipart(sent.headers.get("content-type") ?? "", await sent.clone().bytes());
      expect(read?.fields.get("csrf")).toBe((await sent.formData()).get("csrf"));
      expect(Buffer.from(read?.file?.bytes ?? [0])).toEqual(Buffer.from(bytes));
    }),
  );
});

test.each([
  ["nothing", ""],
  ["no boundary", bodyOf(FIELD), "multipart/form-data"],
  ["another type", bodyOf(FIELD), TYPE.replace("form-data", "mixed")],
  ["another boundary", bodyOf(FIELD), `${TYPE}x`],
  ["no end", bodyOf(FIELD).slice(0, -4)],
  ["a part without a name", bodyOf("Content-Disposition: form-data\r\n\r\nabc")],
  ["two files", bodyOf(FILE, FILE.replace('"file"', '"other"'))],
])("a body that no form of ours sends is refused: %s", async (_, body, type?: string) => {
  expect(await read(body, type)).toBeNull();
  expect(await read(bodyOf(FIELD, FILE))).toEqual({
    fields: { csrf: "abc" },
    file: { name: "a.csv", bytes: "x,y\r\n1,2\r\n" },
  });
});

test("64 MiB of false boundaries take time only in proportion to their length", async () => {
  const near = Buffer.alloc(64 * 1024 * 1024, `\r\n--${BOUNDARY.slice(0, -1)}`);
  const [head = "", tail = ""] = bodyOf(FILE.replace("x,y\r\n1,2\r\n", "@")).split("@");
  const form = await readMultipart(TYPE, Buffer.concat([Buffer.from(head), near, Buffer.from(tail)]));
  expect(form?.file?.bytes.length).toBe(near.length);
});
