/** A file as a form sends it. */
export interface SentFile {
  /** As the browser gives it: it may be any text. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a form of the page sent. */
export interface SentForm {
  readonly fields: URLSearchParams;
  /** Null: the form has no field for a file. */
  readonly file: SentFile | null;
}

/** More than any form of the page has. */
const MAX_PARTS = 8;
const MAX_HEAD_BYTES = 4096;
/** RFC 2046, 5.1.1, without the blank and the signs that must be quoted: browsers use neither. */
const TYPE = /^multipart\/form-data; ?boundary=(?<boundary>[0-9A-Za-z'+_.-]{1,70})$/i;
/** RFC 7578, 4.2, as browsers write it: a quote in a name is sent as `%22`. */
const DISPOSITION = /^form-data; name="(?<name>[a-z]{1,20})"(?:; filename="(?<file>[^"\0]{0,1000})")?$/;
const HEADER = /^(?<name>[A-Za-z-]{1,40}): (?<value>[^\r\n]*)$/;
const END = Buffer.from("\r\n\r\n");

/**
 * Reads a body of `multipart/form-data` (RFC 7578) as browsers write it: nothing before the first part and
 * after the last one, each name once, at most one file, no parts within a part. The file's bytes are part of
 * the body's. Null: it is anything else.
 */
export function readMultipart(contentType: string, body: Uint8Array): SentForm | null {
  const boundary = TYPE.exec(contentType)?.groups?.["boundary"];
  const parts =
    boundary === undefined ? null : partsOf(Buffer.from(body.buffer, body.byteOffset, body.length), boundary);
  if (parts === null || parts.filter(({ file }) => file !== undefined).length > 1) {
    return null;
  }
  const fields = new URLSearchParams();
  let sent: SentFile | null = null;
  for (const { name, file, bytes } of parts) {
    if (file === undefined) {
      fields.set(name, bytes.toString());
    } else {
      sent = { name: file, bytes };
    }
  }
  return { fields, file: sent };
}

interface Part {
  readonly name: string;
  /** Undefined: it is no file. */
  readonly file: string | undefined;
  readonly bytes: Buffer;
}

/** Null: they are not of that form. */
function partsOf(body: Buffer, boundary: string): readonly Part[] | null {
  const line = Buffer.from(`\r\n--${boundary}`);
  const first = line.subarray("\r\n".length);
  if (!body.subarray(0, first.length).equals(first)) {
    return null;
  }
  const parts: Part[] = [];
  for (let at = first.length; parts.length <= MAX_PARTS; ) {
    const after = body.toString("latin1", at, at + 2);
    if (after === "--") {
      const rest = body.toString("latin1", at + 2, at + 5);
      return rest === "" || rest === "\r\n" ? parts : null;
    }
    const end = after === "\r\n" ? body.indexOf(line, at + 2) : -1;
    const part = end === -1 ? null : partOf(body.subarray(at + 2, end));
    if (part === null || parts.some(({ name }) => name === part.name)) {
      return null;
    }
    parts.push(part);
    at = end + line.length;
  }
  return null;
}

/** Null: its head is not one of a field or a file. */
function partOf(bytes: Buffer): Part | null {
  const end = bytes.subarray(0, MAX_HEAD_BYTES).indexOf(END);
  const headers = end === -1 ? null : headersOf(bytes.toString("utf8", 0, end));
  const { name, file } = DISPOSITION.exec(headers?.get("content-disposition") ?? "")?.groups ?? {};
  const type = headers?.get("content-type");
  const isPlain = file === undefined ? type === undefined : !/^\s*(?:multipart|message)\//i.test(type ?? "");
  return name === undefined || !isPlain ? null : { name, file, bytes: bytes.subarray(end + END.length) };
}

/** By names in lower case. Null: one is unknown or there twice, or a line is none. */
function headersOf(head: string): ReadonlyMap<string, string> | null {
  const headers = new Map<string, string>();
  for (const line of head.split("\r\n")) {
    const { name = "", value = "" } = HEADER.exec(line)?.groups ?? {};
    const known = ["content-disposition", "content-type"].find((one) => one === name.toLowerCase());
    if (known === undefined || headers.has(known)) {
      return null;
    }
    headers.set(known, value);
  }
  return headers;
}
