import process from "node:process";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/exports.ts";
import { makeBench } from "../support/job.ts";

// Makes a pack in this process, and prints its checksums, for second-opinion.system.test.ts.

const { job } = makeBench({
  history: makeHistory({ seed: 2025, fills: 3000, from: Date.UTC(2024, 6, 1), to: Date.UTC(2026, 0, 20) }),
});
const { files } = await exportPack(job, { ...exportRequest(parsePeriod("us-2025")), method: "fifo" });
process.stdout.write(
  files
    .filter(({ path }) => path !== "SHA256SUMS")
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .join(""),
);
