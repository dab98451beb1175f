import { writeFileSync } from "node:fs";

// Preloaded into a Node program that is compared (`node --import`): writes what the process cost as it ends,
// and sets its clock ahead.

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
