/**
 * The results of `act` in the order of the items, with at most `limit` calls in progress. Rejects with the
 * first failure; calls in progress then finish unobserved, and no new call starts.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const [at, item] of left) {
      if (hasFailed) {
        return;
      }
      try {
        results[at] = await act(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
