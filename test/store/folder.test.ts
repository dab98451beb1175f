import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFolderStore } from "../../lambda/store/folder.ts";
import { storeConformance } from "../conformance/store.ts";

storeConformance("folder store", async () => {
  const base = await mkdtemp(join(tmpdir(), "fillbook-store-"));
  const path = join(base, "not", "yet");
  return {
    store: openFolderStore(path),
    reopen: () => openFolderStore(path),
    cleanup: () => rm(base, { recursive: true }),
  };
});
