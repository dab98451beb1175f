import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { patienceMs } from "./test/patience.ts";

const SYSTEM = "test/**/*.system.test.ts";
const SLOW = "test/**/*.slow.test.ts";
const NIGHT = "test/**/*.night.test.ts";

/** Files share the modules that they import. */
const SHARED = { pool: "threads", isolate: false } as const;

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    maxWorkers: availableParallelism(), // one fewer by default
    testTimeout: patienceMs(120),
    hookTimeout: patienceMs(120),
    projects: [
      // `npm test`: in memory, in this process, each in seconds.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [SYSTEM, SLOW, NIGHT],
          ...SHARED,
        },
      },
      // CI as well: in memory too, but it takes many seconds.
      { extends: true, test: { name: "slow", include: [SLOW], ...SHARED } },
      // CI as well: processes, folders, S3, a browser, bundles, other programs.
      { extends: true, test: { name: "system", include: [SYSTEM] } },
      // Only `npm run test:all`: long enumerations and thousands of drawn cases.
      { extends: true, test: { name: "night", include: [NIGHT] } },
    ],
  },
});
