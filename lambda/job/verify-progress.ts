import type { Checked } from "../archive/verify.ts";
import type { CheckProgress, RunContext } from "./context.ts";
import { NOTHING_READ } from "./export-progress.ts";

/**
 * So many bytes of packs are hashed in about the time in which one fill of an archive is checked. Measured
 * with 60,000 fills and their pack of a year: 4 s, and 190 MB in 4.5 s.
 */
const PACK_BYTES_A_FILL = 3000;
/** To ask the service again for a fill takes about as long as to check so many: ten pages a second. */
const REWALKED_FILL = 15;
/** All is checked only when the verification is over. */
const MOST = 0.999;

/**
 * Reports the steps of a verification as one share, which never falls; null if there is nothing to measure. `fills`: in
 * the data files that are to be checked.
 */
export function verifyProgress(
  { report, reader }: Pick<RunContext, "report" | "reader">,
  { fills, packBytes, rewalks }: { readonly fills: number; readonly packBytes: number; readonly rewalks: boolean },
) {
  const inPacks = packBytes / PACK_BYTES_A_FILL;
  const all = fills + inPacks + (rewalks ? fills * REWALKED_FILL : 0);
  let [objects, bytes] = [0, 0];

  function tell(step: CheckProgress["step"], passed: number, done: number, of: number): void {
    const { requests, refused } = step === "rewalk" ? reader.counts : NOTHING_READ;
    const covered = all === 0 ? null : Math.min(MOST, passed / all);
    const checked = { step, objects, done: Math.min(done, of), of };
    report({ ...NOTHING_READ, stage: "verifying", requests, refused, covered, checked });
  }

  return {
    archive(checked: Checked) {
      objects = checked.objects;
      tell("archive", checked.fills, checked.fills, fills);
    },
    /** Adds to what was hashed so far. */
    packs(hashed: { readonly objects: number; readonly bytes: number }) {
      objects += hashed.objects;
      bytes += hashed.bytes;
      tell("packs", fills + Math.min(bytes, packBytes) / PACK_BYTES_A_FILL, bytes, packBytes);
    },
    /** `returned`: fills of the service so far. */
    rewalk(returned: number) {
      const done = Math.min(returned, fills);
      tell("rewalk", fills + inPacks + done * REWALKED_FILL, done, fills);
    },
  };
}
