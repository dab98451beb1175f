import { writeFileSync } from "node:fs";

// Preloaded into a program that is compared (`node --import`): what the process cost, as it ends.

process.once("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 };
  writeFileSync(process.env["USAGE"] ?? "usage.json", JSON.stringify(usage));
});
