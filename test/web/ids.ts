/** Gives `id-1`, `id-2` and so on. */
export function countedIds(name = "id"): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${name}-${count}`;
  };
}
