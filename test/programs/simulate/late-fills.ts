import type { TimeRange } from "../../../lambda/core/time.ts";
import type { Emulator } from "../../emulator/core.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import type { DataFileRows } from "../../support/auditor.ts";
import type { Published } from "../../support/published.ts";

export interface LateFillPorts {
  readonly emulator: Emulator;
  /** Whether a row shows the item, in this version or a later one, or nobody need find it (Inspector). */
  readonly isFound: (item: CompletedOrder, row: Record<string, unknown> | undefined) => boolean;
  readonly settleLagMs: number;
  readonly lookBackMs: number;
}

/**
 * Compares an archive with what its look-backs must have seen: rows within a look-back, or within a piece of
 * the rotation, that the service had when it began must be in the archive when it has ended.
 */
export class LateFills {
  readonly #ports: LateFillPorts;
  #began: number | null = null;
  #rotated: { readonly at: number; readonly to: number | null } | null = null;

  constructor(ports: LateFillPorts) {
    this.#ports = ports;
  }

  /** `rows`: the rows of an archive that a complete run has left. */
  judge({ coverage, known }: Published, rows: DataFileRows): string[] {
    const { lookedBackAt, rotatedAt, rotatedTo } = known;
    const { emulator, lookBackMs, settleLagMs, isFound } = this.#ports;
    if (lookBackMs === 0) {
      return [];
    }
    if (lookedBackAt === null) {
      return ["a complete run did not look back"];
    }
    const held = new Map(rows.map((row) => [`${row["matchId"]} ${row["orderId"]}`, row]));
    const lacking = (beganAt: number, { from, to }: TimeRange, what: string) => {
      const found = [...emulator.truthItems(beganAt)]
        .filter(({ txCreated: at }) => from <= at && at < to)
        .filter(({ txCreated: at }) => coverage.some((one) => one.readings === 2 && one.from <= at && at < one.to))
        .filter((item) => !isFound(item, held.get(`${item.matchId} ${item.orderId}`)));
      return found.length === 0
        ? []
        : [`${what} did not find ${found.length} late or changed fills; the first is ${found[0]?.matchId}`];
    };
    const until = lookedBackAt - settleLagMs;
    const edge = until - lookBackMs;
    const findings =
      this.#began === lookedBackAt ? [] : lacking(lookedBackAt, { from: edge, to: until }, "a look-back");
    this.#began = lookedBackAt;
    const before = this.#rotated;
    if (rotatedAt !== null && before !== null && rotatedAt !== before.at && rotatedTo !== null) {
      const to = before.to === null || before.to <= rotatedTo || before.to > edge ? edge : before.to;
      findings.push(...lacking(rotatedAt, { from: rotatedTo, to }, "a rotation"));
    }
    this.#rotated = rotatedAt === null ? null : { at: rotatedAt, to: rotatedTo };
    return findings;
  }
}
