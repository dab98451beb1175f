import { join } from "node:path";
import { defineConfig } from "vitest/config";

const SECOND_MS = 1000;

/** The configuration of `npm run test:aws`: real time, real processes, one file after the other. */
// biome-ignore lint/style/noDefaultExport: vitest takes no other
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../.."),
    include: ["test/aws/**/*.e2e.ts"],
    setupFiles: ["test/setup.ts"],
    reporters: ["verbose"],
    fileParallelism: false,
    testTimeout: 300 * SECOND_MS,
    hookTimeout: 300 * SECOND_MS,
  },
});
