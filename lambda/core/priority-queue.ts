/** What is first by `compare` comes out first: a binary heap. */
export class PriorityQueue<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #items: T[] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#compare(items[parent] as T, item) <= 0) {
        break;
      }
      items[at] = items[parent] as T;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) {
      this.#sink(last);
    }
    return first;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    while (true) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= items.length) {
        break;
      }
      const isRight = right < items.length && this.#compare(items[right] as T, items[left] as T) < 0;
      const child = isRight ? right : left;
      if (this.#compare(item, items[child] as T) <= 0) {
        break;
      }
      items[at] = items[child] as T;
      at = child;
    }
    items[at] = item;
  }
}
