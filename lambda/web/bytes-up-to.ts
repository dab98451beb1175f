/**
 * All pieces in one buffer. Null if they have more than `most` bytes; reading stops at the piece that shows
 * it.
 */
export async function bytesUpTo(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<Buffer | null> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) {
      return null;
    }
    kept.push(piece);
  }
  return Buffer.concat(kept);
}
