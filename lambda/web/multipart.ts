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

/** Reads a body of `multipart/form-data` (RFC 7578) with at most one file. Null: it is anything else. */
export async function readMultipart(contentType: string, body: Uint8Array): Promise<SentForm | null> {
  const sent = new Response(Buffer.from(body), { headers: { "content-type": contentType } });
  const form = await sent.formData().catch(() => null);
  const entries = [...(form ?? [])];
  const files = entries.flatMap(([, value]) => (typeof value === "string" ? [] : [value]));
  if (form === null || files.length > 1) {
    return null;
  }
  const texts = entries.flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
  const [file] = files;
  return {
    fields: new URLSearchParams(texts),
    file: file === undefined ? null : { name: file.name, bytes: await file.bytes() },
  };
}
