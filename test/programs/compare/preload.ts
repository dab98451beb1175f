import { writeFileSync } from "node:fs";

// Preloaded into each Node program of the comparison (`node --import`). It writes the process's cost when the
// process ends, and moves its clock forward.

const { USAGE = "usage.json", AHEAD_MS } = process.env;

process.once("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 };
  writeFileSync(USAGE, JSON.stringify(usage));
});

const aheadMs = Number(AHEAD_MS ?? 0);
if (aheadMs > 0) {
  const now = Date.now.bind(Date);
  Date.now = () => now() + aheadMs;
}
