import { DAY_MS } from "../../../lambda/core/time.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import type { DataFileRows } from "../../support/auditor.ts";

/** The fields of a manifest that the published format specifies. */
export interface LookedBack {
  readonly coverage: readonly { readonly from: number; readonly to: number }[];
  readonly checkpoint: {
    readonly rechecks: readonly unknown[];
    readonly lookedBackAt: number | null;
    readonly rotatedAt: number | null;
    readonly proven: { readonly keepingEnd: number; readonly keepingBeginning: number };
  };
}

export interface LateFillPorts {
  /** The service's rows at a time, ms. */
  readonly truthAt: (ms: number) => Iterable<CompletedOrder>;
  /** Whether a row of the archive shows the item, in the given version or a later one. */
  readonly isHeld: (row: Record<string, unknown>, item: CompletedOrder) => boolean;
  readonly settleLagMs: number;
  readonly lookBackMs: number;
}

/**
 * Compares an archive with what its look-backs must have seen. Rows within a look-back that the service had
 * when it began must be in the archive when it has ended. The rotation finds older rows, one piece a week.
 * These accounts are small, so two pieces cover all older times, unless these are longer than the seventy
 * windows that one piece may have.
 */
export class LateFills {
  readonly #ports: LateFillPorts;
  readonly #began: number[] = [];
  readonly #rotated: number[] = [];

  constructor(ports: LateFillPorts) {
    this.#ports = ports;
  }

  /** `rows`: the rows of an archive that a complete run has left. */
  judge({ coverage, checkpoint }: LookedBack, rows: DataFileRows): string[] {
    const { lookedBackAt, rotatedAt, rechecks } = checkpoint;
    const { lookBackMs, settleLagMs } = this.#ports;
    if (lookBackMs === 0) {
      return [];
    }
    if (lookedBackAt === null || rechecks.length > 0) {
      return ["a complete run did not look back"];
    }
    if (this.#began.at(-1) === lookedBackAt) {
      return [];
    }
    const held = new Map(rows.map((row) => [`${row["match_id"]} ${row["order_id"]}`, row]));
    const isCovered = ({ txCreated }: CompletedOrder) =>
      coverage.some(({ from, to }) => from <= txCreated && txCreated < to);
    const isLacking = (item: CompletedOrder) => {
      const row = held.get(`${item.matchId} ${item.orderId}`);
      return row === undefined || !this.#ports.isHeld(row, item);
    };
    const lacking = (beganAt: number, from: number) =>
      [...this.#ports.truthAt(beganAt)].filter((item) => item.txCreated >= from && isCovered(item) && isLacking(item));
    const within = lacking(lookedBackAt, lookedBackAt - settleLagMs - lookBackMs);
    this.#began.push(lookedBackAt);
    const before = this.#rotated.at(-1);
    if (rotatedAt === null || rotatedAt === before) {
      return say(within, "a look-back");
    }
    const { keepingEnd, keepingBeginning } = checkpoint.proven;
    const pieceMs = 70 * Math.max(DAY_MS, Math.min(keepingEnd, keepingBeginning));
    const olderMs = lookedBackAt - settleLagMs - lookBackMs - (coverage[0]?.from ?? lookedBackAt);
    const older = before === undefined || olderMs > pieceMs ? [] : lacking(before, 0);
    this.#rotated.push(rotatedAt);
    return [say(within, "a look-back"), say(older, "two rotations")].flat();
  }
}

function say(lacking: readonly CompletedOrder[], what: string): string[] {
  return lacking
    .slice(0, 1)
    .map((item) => `${what} did not find ${lacking.length} late or changed fills; the first is ${item.matchId}`);
}
