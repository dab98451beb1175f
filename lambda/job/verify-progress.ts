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

/** Each step tells how far it has come. */
export interface VerifyProgress {
  readonly archive: (checked: Checked) => void;
  /** Adds to what was hashed so far. */
  readonly packs: (hashed: { readonly objects: number; readonly bytes: number }) => void;
  /** `fills`: returned by the service so far. */
  readonly rewalk: (fills: number) => void;
}

/** What is to be verified. */
export interface ToVerify {
  /** In the data files that are to be checked. */
  readonly fills: number;
  readonly packBytes: number;
  readonly rewalks: boolean;
}

/**
 * Reports the steps of a verification as one share, which never falls; null if there is nothing to measure.
 */
export function verifyProgress(
  { report, reader }: Pick<RunContext, "report" | "reader">,
  { fills, packBytes, rewalks }: ToVerify,
): VerifyProgress {
  const all = fills + packBytes / PACK_BYTES_A_FILL + (rewalks ? fills * REWALKED_FILL : 0);
  let objects = 0;
  let bytes = 0;

  function tell(step: CheckProgress["step"], passed: number, { done, of }: Pick<CheckProgress, "done" | "of">): void {
    const { requests, refused } = step === "rewalk" ? reader.counts : NOTHING_READ;
    report({
      ...NOTHING_READ,
      stage: "verifying",
      requests,
      refused,
      covered: all === 0 ? null : Math.min(MOST, passed / all),
      checked: { step, objects, done: Math.min(done, of), of },
    });
  }

  return {
    archive(checked) {
      objects = checked.objects;
      tell("archive", checked.fills, { done: checked.fills, of: fills });
    },
    packs(hashed) {
      objects += hashed.objects;
      bytes += hashed.bytes;
      tell("packs", fills + Math.min(bytes, packBytes) / PACK_BYTES_A_FILL, { done: bytes, of: packBytes });
    },
    rewalk(returned) {
      const done = Math.min(returned, fills);
      tell("rewalk", fills + packBytes / PACK_BYTES_A_FILL + done * REWALKED_FILL, { done, of: fills });
    },
  };
}
