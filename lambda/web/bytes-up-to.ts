import { buffer } from "node:stream/consumers";

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

class TooMany extends Error {}

/**
 * All pieces in one buffer. Null if they have more than `most` bytes; reading stops at the piece that shows
 * it.
 */
export async function bytesUpTo(pieces: Pieces, most: number): Promise<Buffer | null> {
  return await orTooMany(buffer(upTo(pieces, most)));
}

/** The same pieces. Throws at the piece that exceeds `most` bytes, and requests no further one. */
export async function* upTo(pieces: Pieces, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) {
      throw new TooMany();
    }
    yield piece;
  }
}

/** Null if `upTo` found too many bytes in what `reading` reads. */
export async function orTooMany<Read>(reading: Promise<Read>): Promise<Read | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof TooMany) {
      return null;
    }
    throw error;
  }
}
