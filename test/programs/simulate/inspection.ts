import { zstdDecompressSync } from "node:zlib";
import { covers } from "../../../lambda/core/ranges.ts";
import type { TimeRange } from "../../../lambda/core/time.ts";
import { coveredTwice } from "../../../lambda/walk/plan.ts";
import type { Emulator } from "../../emulator/core.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { type Audit, agrees, auditManifest, type DataFileRows } from "../../support/auditor.ts";
import type { MemoryStore } from "../../support/memory-store.ts";
import { keysIn, type Published, readPublished } from "../../support/published.ts";
import {
  type DatedHead,
  headOf,
  type LandedHead,
  type Listing,
  lateFills,
  lineage,
  manifestKeyOf,
  missing,
  overdue,
} from "./housekeeping.ts";

/** What a finished run reports about the archive. */
interface Said {
  readonly complete: boolean;
  readonly fills: number;
  readonly coverage: Published["coverage"];
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
}

interface Occasion {
  /** ms UTC */
  readonly now: number;
  /** The range that may be covered at most. */
  readonly within: { readonly from: number; readonly to: number };
  readonly ended: Said | null;
  /** Whether the run was told to look back. */
  readonly looksBack: boolean;
}

interface InspectorPorts {
  readonly objects: MemoryStore;
  readonly emulator: Emulator;
  readonly heads: readonly LandedHead[];
  readonly secrets: readonly string[];
  readonly settleLagMs: number;
  readonly lookBackMs: number;
}

/**
 * The independent judge of a simulation. It reads every manifest that a head ever named, using only the
 * published format, and compares it with the service's rows: what counts as read twice must be there.
 */
export class Inspector {
  readonly #ports: InspectorPorts;
  readonly #judgeLate: ReturnType<typeof lateFills>;
  readonly #heads: DatedHead[] = [];
  readonly #dataFiles = new Map<string, DataFileRows>();
  readonly #manifests = new Map<string, Published>();
  readonly #names = new Map<string, readonly string[]>();
  readonly #searched = new Set<string>();
  /** The service's rows. If rows change, both versions: the later one first, then the earlier one. */
  readonly #versions: readonly Map<string, CompletedOrder>[];
  /** Fills that appear after the settle lag. Only a look-back has to find them. */
  readonly #late: ReadonlySet<string>;
  /** Fills whose time is in seconds, where dates filter by another: nobody can say where they lack. */
  readonly #misdated: ReadonlySet<string>;
  /** Fills that an archive without fills was allowed to miss (`#forgiven`). */
  readonly #hidden = new Set<string>();

  constructor(ports: InspectorPorts) {
    const { emulator, settleLagMs, lookBackMs } = ports;
    this.#ports = ports;
    this.#versions = versionsOf(emulator);
    const late = [...emulator.delays()].filter(([, delayMs]) => delayMs > settleLagMs);
    this.#late = new Set(late.map(([identity]) => identity.replace("\u0000", " ")));
    const { filterBy, seconds } = emulator.switches;
    const isLost = filterBy !== "txCreated" && seconds !== null;
    this.#misdated = new Set(isLost ? [...emulator.inSeconds()].map((one) => one.replace("\u0000", " ")) : []);
    this.#judgeLate = lateFills({
      emulator,
      settleLagMs,
      lookBackMs,
      isFound: (item, row) => (row === undefined ? this.#hidden.has(nameOf(item)) : this.#isHeld(row, item)),
    });
  }

  /**
   * One sentence for each promise that was broken since the last call. A fill whose two times lie on both
   * sides of a question's end comes with the next question. So what is lost is judged where a run has ended,
   * or all is covered.
   */
  async inspect({ now, within, ended, looksBack }: Occasion): Promise<string[]> {
    const known = this.#heads.length;
    this.#heads.push(...this.#ports.heads.slice(known).map(headOf));
    const final = ended?.manifest === null || ended === null ? null : manifestKeyOf(ended.manifest);
    const named = this.#heads
      .slice(known)
      .flatMap(({ manifest }) => (manifest === null ? [] : [manifestKeyOf(manifest)]));
    const listing = await this.#listing();
    const findings = [
      ...lineage(this.#heads.slice(Math.max(0, known - 1))),
      ...(await this.#judgeHousekeeping(listing, known, now)),
    ];
    for (const key of new Set([...named, ...(final === null ? [] : [final])])) {
      if (listing.has(key)) {
        findings.push(...(await this.#judgeManifest(key, within, key === final ? ended : null)));
      }
    }
    if (final !== null) {
      findings.push(...(await this.#judgeLeft(final, ended?.complete === true && looksBack)));
    }
    findings.push(...(await this.#shown(listing)));
    return findings;
  }

  async #judgeManifest(key: string, within: TimeRange, ended: Occasion["ended"]): Promise<string[]> {
    const manifest = await this.#manifest(key);
    const audit = this.#forgiven(await this.#audited(key), manifest);
    const isClaimed = ended?.complete === true || covers(coveredTwice(manifest.coverage), within);
    return [
      ...judged(isClaimed ? audit : { ...audit, lost: [] }, key, within),
      ...(ended === null ? [] : saidOtherwise(ended, manifest)),
    ];
  }

  async #judgeHousekeeping(listing: Listing, known: number, now: number): Promise<string[]> {
    await this.#readNames(listing);
    const namesOf = (key: string) => this.#names.get(key) ?? [];
    const [before] = this.#heads.slice(Math.max(0, known - 1));
    const hasCollected = this.#heads.slice(known).some(({ collection }) => collection?.at !== before?.collection?.at);
    return [
      ...missing(this.#heads, listing, namesOf, now),
      ...(hasCollected ? overdue(this.#heads, listing, namesOf) : []),
    ];
  }

  async #judgeLeft(key: string, looksBack: boolean): Promise<string[]> {
    const manifest = await this.#manifest(key);
    const rows = manifest.dataFiles.flatMap((dataFile) => this.#dataFiles.get(dataFile.key) ?? []);
    return looksBack ? this.#judgeLate(manifest, rows) : [];
  }

  /**
   * Late fills are news. And as long as silence was not measured, for no fill was known, a service that cuts
   * ranges to less than the silence that was asked could hide some: the manifest names how wide that was.
   */
  #forgiven(audit: Audit, { coverage, known }: Published): Audit {
    const widthMs = this.#ports.emulator.switches.clamp?.widthMs ?? Number.POSITIVE_INFINITY;
    const isHidden = (identity: string) => {
      const at = this.#versions[0]?.get(identity.replace(" ", "\u0000"))?.txCreated ?? Number.NaN;
      const silentIn = coverage.find(({ from, to }) => from <= at && at < to)?.silentIn ?? 0;
      const isAssumed = audit.rows === 0 || known.believedMs === null;
      return (isAssumed && silentIn > widthMs) || this.#misdated.has(identity);
    };
    for (const identity of audit.lost.filter(isHidden)) {
      this.#hidden.add(identity);
    }
    return { ...audit, lost: audit.lost.filter((one) => !(this.#late.has(one) || this.#hidden.has(one))) };
  }

  /** Whether the row shows the given version, or the later one. Rows with defects are not compared. */
  #isHeld(row: Record<string, unknown>, item: CompletedOrder): boolean {
    const newest = this.#versions[0]?.get(`${item.matchId}\u0000${item.orderId}`) ?? item;
    return this.#showsOtherCells() || agrees(row, item) || agrees(row, newest);
  }

  /** Whether rows have cells that differ from the true ones. The auditor reads only plain rows. */
  #showsOtherCells(): boolean {
    const { badRows, seconds } = this.#ports.emulator.switches;
    return badRows !== null || seconds !== null;
  }

  async #audited(key: string): Promise<Audit> {
    const { objects } = this.#ports;
    const [first, ...others] = await Promise.all(
      this.#versions.map((truth) => auditManifest(objects, key, truth, this.#dataFiles)),
    );
    if (first === undefined) {
      throw new Error("a service without rows has an empty map");
    }
    const wrong = this.#showsOtherCells()
      ? []
      : first.wrong.filter((row) => others.every((one) => one.wrong.includes(row)));
    return { ...first, wrong };
  }

  async #manifest(key: string): Promise<Published> {
    const manifest = this.#manifests.get(key) ?? (await readPublished((one) => this.#text(one), key));
    this.#manifests.set(key, manifest);
    return manifest;
  }

  async #text(key: string): Promise<string> {
    return new TextDecoder().decode((await this.#ports.objects.get(key))?.body);
  }

  async #listing(): Promise<Listing> {
    const listing = new Map<string, number>();
    for (const prefix of ["main/", "table/"]) {
      for await (const { key, modifiedMs } of this.#ports.objects.list(prefix)) {
        listing.set(key, modifiedMs);
      }
    }
    return listing;
  }

  async #readNames(listing: Listing): Promise<void> {
    for (const key of listing.keys()) {
      if (key.startsWith("main/manifests/") && !this.#names.has(key)) {
        this.#names.set(key, keysIn(await this.#manifest(key)));
      }
    }
  }

  /** Requires that no object contains a token, not even compressed. */
  async #shown(listing: Listing): Promise<string[]> {
    const findings: string[] = [];
    for (const key of listing.keys()) {
      if (key.endsWith("head.json") || key.startsWith("table/") || !this.#searched.has(key)) {
        this.#searched.add(key);
        const body = (await this.#ports.objects.get(key))?.body ?? new Uint8Array();
        const text = Buffer.from(key.endsWith(".zst") ? zstdDecompressSync(body) : body).toString("latin1");
        findings.push(
          ...this.#ports.secrets.filter((one) => text.includes(one)).map(() => `${key} contains the token`),
        );
      }
    }
    return findings;
  }
}

/** The service's rows, whenever they appear. If rows change, both versions: the later and the earlier one. */
function versionsOf(emulator: Emulator): Map<string, CompletedOrder>[] {
  const { changingRows } = emulator.switches;
  if (changingRows === null) {
    return [emulator.truth(Number.POSITIVE_INFINITY)];
  }
  const { share, what } = changingRows;
  const versions = [0, Number.POSITIVE_INFINITY].map((afterRequests) => {
    emulator.setSwitches({ changingRows: { share, what, afterRequests } });
    return emulator.truth(Number.POSITIVE_INFINITY);
  });
  emulator.setSwitches({ changingRows });
  return versions;
}

function saidOtherwise(said: Said, { fills, coverage }: Published): string[] {
  return said.fills === fills && isSame(said.coverage, coverage)
    ? []
    : [`a run reports ${said.fills} fills of ${JSON.stringify(said.coverage)}, but its manifest differs`];
}

function nameOf({ matchId, orderId }: CompletedOrder): string {
  return `${matchId} ${orderId}`;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function judged(audit: Audit, key: string, within: { from: number; to: number }): string[] {
  const name = key.slice("main/".length, -54);
  const rows = (["lost", "doubled", "invented", "wrong"] as const).flatMap((kind) =>
    audit[kind].length === 0
      ? []
      : [`${name}: ${audit[kind].length} fills are ${kind}; the first is ${audit[kind][0]}`],
  );
  const beyond = audit.coverage.filter(({ from, to }) => from < within.from || to > within.to);
  return [...rows, ...beyond.map(({ from, to }) => `${name}: ${from}-${to} is covered, but was not requested`)];
}
