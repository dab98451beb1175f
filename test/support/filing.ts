import { PartEncoder } from "../../lambda/archive/data-file-format.ts";
import { type Filed, fileFills, type PartPorts } from "../../lambda/archive/data-files.ts";
import { Calendar } from "../../lambda/archive/index/manifest-index.ts";
import type { Part } from "../../lambda/archive/manifest.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { ALL_TIME } from "../../lambda/core/ranges.ts";
import { fakeClock } from "./fake-clock.ts";
import { memoryStore } from "./memory-store.ts";

export type FilingPorts = Parameters<typeof fileFills>[0];

/** Of an archive of its own, which nobody else wants. */
export function filingPorts(ports: Partial<PartPorts> = {}): FilingPorts {
  return {
    account: "main",
    store: memoryStore(),
    clock: fakeClock({ auto: true }),
    epoch: 1,
    encoder: new PartEncoder(),
    own: () => Promise.resolve(),
    ...ports,
  };
}

/** The calendar after the batches were filed, each as one commit would. */
export async function fileAll(
  ports: FilingPorts,
  batches: readonly (readonly Fill[])[],
  before: Calendar = Calendar.empty(ports),
): Promise<Calendar> {
  let calendar = before;
  for (const batch of batches) {
    calendar = await after(calendar, await fileFills(ports, calendar, batch));
  }
  return calendar;
}

export async function after(calendar: Calendar, { removed, parts }: Filed): Promise<Calendar> {
  return await calendar.change({ removed: { parts: removed }, added: { parts } });
}

export async function partsOf(calendar: Calendar): Promise<readonly Part[]> {
  return await calendar.parts(ALL_TIME);
}
