import { globSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import type { Reporter, Vitest } from "vitest/node";
import { patienceMs } from "./test/patience.ts";

const SYSTEM = "test/**/*.system.test.ts";

/** Says at the end which tests there are besides those that were run. */
class NotRun implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(): void {
    if (this.#vitest?.projects.some(({ name }) => name === "system") === false) {
      const files = globSync(SYSTEM);
      const folders = Map.groupBy(files, (file) => file.split(/[\\/]/)[1] ?? "");
      const counts = [...folders].sort().map(([folder, { length }]) => `${folder} ${length}`);
      this.#vitest.logger.log(
        `Not run: ${files.length} files, *.system.test.ts, of processes, folders, S3, browsers, bundles, other programs' readings, and long enumerations (${counts.join(", ")}). All: npm run test:all\n`,
      );
    }
  }
}

export default defineConfig({
  test: {
    reporters: [...configDefaults.reporters, new NotRun()],
    setupFiles: ["test/setup.ts"],
    testTimeout: patienceMs(120),
    hookTimeout: patienceMs(120),
    projects: [
      // In memory, in this process; what `npm test` runs. Files share the modules that they import.
      {
        extends: true,
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: [SYSTEM], pool: "threads", isolate: false },
      },
      // With processes, folders, S3, a browser, bundles, other programs or modules that are replaced, or long: what `npm run test:all` runs besides.
      { extends: true, test: { name: "system", include: [SYSTEM] } },
    ],
  },
});
