/** All of it as one; null: it is more than `most` bytes, and no more was asked for than shows that. */
export async function bytesUpTo(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<Buffer | null> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) {
      return null;
    }
    read.push(piece);
  }
  return Buffer.concat(read);
}
