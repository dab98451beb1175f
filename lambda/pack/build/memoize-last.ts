/**
 * `make`, which keeps what it made last: the makers of many files ask for the same batch one after another. Only the last one is kept, so that what is made
 * of a batch is as short-lived as the batch.
 */
export function memoizeLast<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { readonly key: Key; readonly value: Value } | null = null;
  return (key) => {
    if (last?.key !== key) {
      last = { key, value: make(key) };
    }
    return last.value;
  };
}
