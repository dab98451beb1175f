/**
 * What `act` gives for each item, in their order, with at most `limit` of them under way. Rejects with the first failure; what is under way then ends
 * unheard, and nothing more begins.
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

/** All of it, in its order. */
export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}
