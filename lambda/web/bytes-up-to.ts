import { buffer } from "node:stream/consumers";

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

class TooMany extends Error {}

/** All of it as one; null: it is more than `most` bytes, and no more was asked for than shows that. */
export async function bytesUpTo(pieces: Pieces, most: number): Promise<Buffer | null> {
  return await orTooMany(buffer(upTo(pieces, most)));
}

/** The same pieces. Ends with an error, and asks for no more, where they have more than `most` bytes. */
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

/** Null: what it reads had too many bytes. */
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
