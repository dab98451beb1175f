import type { OpenWindow } from "../archive/manifest.ts";
import type { PageRow } from "../service/service.ts";

/** True when several rows have the same time, which no narrower dates can divide. */
export function isTie(rows: readonly PageRow[]): boolean {
  const times = rows.map((row) => ("fill" in row ? row.fill.txCreated : null));
  return times.length > 1 && times.every((time) => time === times[0]);
}

/** The order of all rows of a window, after another page of rows with these times. */
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
