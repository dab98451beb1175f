import { PageMemory, type RawResponse, WaitingPages } from "../../lambda/archive/raw-responses.ts";

/** The content of an object of raw responses with these pages. */
export function encodePages(pages: readonly RawResponse[]): Uint8Array {
  const waiting = new WaitingPages(new PageMemory());
  for (const page of pages) {
    waiting.add(page);
  }
  return waiting.encode();
}
