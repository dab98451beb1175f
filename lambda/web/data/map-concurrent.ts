/** The results of `act` in the order of the items, with at most `limit` calls in progress. */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [at, item] of left) {
      results[at] = await act(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
