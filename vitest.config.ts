import { defineConfig } from "vitest/config";
import { patienceMs } from "./test/patience.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: patienceMs(120),
    hookTimeout: patienceMs(120),
  },
});
