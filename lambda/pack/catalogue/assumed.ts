import type { AssumedRange } from "../../archive/manifest.ts";
import type { DataFile } from "../../archive/manifest-entries.ts";
import { intersection, isWithin, overlaps, union } from "../../core/ranges.ts";
import { DAY_MS, type TimeRange } from "../../core/time.ts";
import type { PackRequest } from "../build/request.ts";

type Archive = Pick<PackRequest, "manifest" | "manifestIndex" | "readDataFile">;

/**
 * What the archive assumes about a range, as a pack says it. Each assumed range reaches from the fill before
 * it to the fill after it, and widths are whole days, rounded up. So it is never less than what is assumed,
 * and hardly depends on the walk's windows.
 */
export async function assumedIn(archive: Archive, range: TimeRange): Promise<readonly AssumedRange[]> {
  const { coverage, checkpoint } = archive.manifest;
  const assumed = (checkpoint.assumed ?? []).filter((one) => overlaps(one, range));
  const silences: TimeRange[] = [];
  for (const one of assumed) {
    for (const covered of coverage.filter((other) => overlaps(one, other))) {
      const [part = one] = intersection(one, [covered]);
      silences.push({
        from: await fillBefore(archive, part.from, covered.from),
        to: await fillAfter(archive, part.to, covered.to),
      });
    }
  }
  return union(silences).flatMap((silence) => {
    const widths = assumed.filter((one) => overlaps(one, silence)).map((one) => Math.ceil(one.widthMs / DAY_MS));
    const widthMs = Math.max(...widths) * DAY_MS;
    return intersection(silence, [range]).map((part) => ({ ...part, widthMs }));
  });
}

/** The millisecond after the last fill before `time`, else `earliest`. */
async function fillBefore(archive: Archive, time: number, earliest: number): Promise<number> {
  for (let reach = DAY_MS; ; reach *= 2) {
    const from = Math.max(earliest, time - reach);
    const dataFiles = from < time ? await archive.manifestIndex.dataFiles({ from, to: time }) : [];
    for (const dataFile of dataFiles.toReversed()) {
      const last = Math.max(...(await timesIn(archive, dataFile, { from: earliest, to: time })));
      if (last >= earliest) {
        return last + 1;
      }
    }
    if (from <= earliest) {
      return earliest;
    }
  }
}

/** The first fill at or after `time`, else `latest`. */
async function fillAfter(archive: Archive, time: number, latest: number): Promise<number> {
  for (let reach = DAY_MS; ; reach *= 2) {
    const to = Math.min(latest, time + reach);
    const dataFiles = time < to ? await archive.manifestIndex.dataFiles({ from: time, to }) : [];
    for (const dataFile of dataFiles) {
      const first = Math.min(...(await timesIn(archive, dataFile, { from: time, to: latest })));
      if (first < latest) {
        return first;
      }
    }
    if (to >= latest) {
      return latest;
    }
  }
}

/** The first and last of the data file's times within a range. It is read only if it also has other times. */
async function timesIn({ readDataFile }: Archive, dataFile: DataFile, range: TimeRange): Promise<readonly number[]> {
  if (isWithin(range, dataFile.first) && isWithin(range, dataFile.last)) {
    return [dataFile.first, dataFile.last];
  }
  if (dataFile.last < range.from || dataFile.first >= range.to) {
    return [];
  }
  const times = (await readDataFile(dataFile))
    .map(({ txCreated }) => txCreated)
    .filter((time) => isWithin(range, time));
  return times.length === 0 ? [] : [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
}
