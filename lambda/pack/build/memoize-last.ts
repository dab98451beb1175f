/**
 * Remembers the last result of `make`, because the makers of many files ask for the same batch one after
 * another. Only the last result is kept, so that it is as short-lived as the batch.
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
