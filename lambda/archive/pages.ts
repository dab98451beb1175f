import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { PageRequest } from "../service/service.ts";

/**
 * The evidence: the service's answers exactly as they came, one JSON line a page, compressed with zstd (DuckDB and `zstd -d` read it).
 * No receiving time is kept, so that the same answers give the same bytes.
 */
export interface EvidencePage {
  readonly request: PageRequest;
  readonly body: string;
}

export function encodePages(pages: readonly EvidencePage[]): Uint8Array {
  const lines = pages.map(({ request, body }) => `${JSON.stringify({ request, body })}\n`);
  return zstdCompressSync(lines.join(""));
}

/** Throws when the bytes are not what `encodePages` made. */
export function decodePages(bytes: Uint8Array): EvidencePage[] {
  const text = zstdDecompressSync(bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as EvidencePage);
}
