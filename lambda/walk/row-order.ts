import type { OpenWindow } from "../archive/manifest.ts";
import type { PageRow } from "../service/service.ts";

/** Whether there are several rows of one time, which no narrower dates can divide. */
export function isTie(rows: readonly PageRow[]): boolean {
  const times = rows.map((row) => ("fill" in row ? row.fill.txCreated : null));
  return times.length > 1 && times.every((time) => time === times[0]);
}

/** How the times of all rows followed each other, with those of another page. */
export function cameAfter({ came, lowest, highest }: OpenWindow, times: readonly number[]): Pick<OpenWindow, "came"> {
  let way = came;
  let last = came === "ascending" ? highest : lowest;
  for (const time of times) {
    if (last !== null && time !== last) {
      const step = time < last ? "descending" : "ascending";
      way = way === undefined || way === step ? step : "mixed";
    }
    last = time;
  }
  return way === undefined ? {} : { came: way };
}
