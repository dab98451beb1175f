import { defineConfig } from "vitest/config";
import { patienceMs } from "./test/patience.ts";

const SYSTEM = "test/**/*.system.test.ts";
const NIGHT = "test/**/*.night.test.ts";

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    testTimeout: patienceMs(120),
    hookTimeout: patienceMs(120),
    projects: [
      // `npm test`: in memory, in this process. Files share the modules that they import.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [SYSTEM, NIGHT],
          pool: "threads",
          isolate: false,
        },
      },
      // CI as well: processes, folders, S3, a browser, bundles, other programs, and what takes many seconds.
      { extends: true, test: { name: "system", include: [SYSTEM] } },
      // Only `npm run test:all`: long enumerations and thousands of drawn cases.
      { extends: true, test: { name: "night", include: [NIGHT] } },
    ],
  },
});
