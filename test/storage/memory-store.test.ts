import { storeConformance } from "../conformance/store.ts";
import { memoryStore } from "../support/memory-store.ts";

storeConformance("memory store", () => {
  let writes = 0;
  const store = memoryStore("memory", () => {
    writes += 1;
    return writes;
  });
  return Promise.resolve({ store, reopen: () => store, cleanup: () => Promise.resolve() });
});
