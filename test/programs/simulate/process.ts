import type { Clock } from "../../../lambda/core/clock.ts";
import type { Random } from "../../../lambda/core/random.ts";
import type { FakeClock } from "../../support/fake-clock.ts";
import { hash32, prng } from "../../support/prng.ts";
import { NOW, type RunPlan } from "./scenario.ts";

/**
 * One process of the simulation. Everything that it does outside itself passes through `effect`, where it is
 * killed, suspended or asked to stop. A killed process is never resumed: its promises stay pending, and none
 * of its code runs on.
 */
export class SimulatedProcess {
  /** from 1, in the order in which the processes begin */
  readonly number: number;
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly stop = new AbortController();
  /** Resolves when the process is killed. */
  readonly death: Promise<"killed">;
  effects = 0;
  /** Number of store calls that failed permanently, as far as the process can know. */
  hardFaults = 0;
  stoppedAt: number | null = null;
  readonly #clock: FakeClock;
  readonly #operations: string[];
  readonly #plan: RunPlan;
  readonly #origin: number;
  readonly #kill: (how: "killed") => void;
  #isDead = false;
  #sleepsUntil = Number.NEGATIVE_INFINITY;
  #frozenMs = 0;

  constructor(number: number, seed: number, plan: RunPlan, ports: { clock: FakeClock; operations: string[] }) {
    this.number = number;
    this.name = `run${number}`;
    this.#clock = ports.clock;
    this.#operations = ports.operations;
    this.#plan = plan;
    this.#origin = ports.clock.now();
    const death = Promise.withResolvers<"killed">();
    this.death = death.promise;
    this.#kill = death.resolve;
    this.clock = {
      now: () => this.#clock.now() + plan.skewMs,
      monotonic: () => this.#clock.now() - this.#origin - this.#frozenMs,
      sleep: (ms, signal) => this.effect(`sleep ${ms}`, () => this.#clock.sleep(Math.max(1, Math.trunc(ms)), signal)),
    };
    this.random = this.#drawing(seed);
    if (plan.stop !== null && "ms" in plan.stop) {
      ports.clock.sleep(plan.stop.ms).then(() => this.#askToStop(), never);
    }
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  async effect<T>(what: string, perform: () => Promise<T>): Promise<T> {
    const number = this.effects;
    this.effects += 1;
    this.#meet(number, false);
    await this.#running();
    this.note(what);
    try {
      return await perform();
    } finally {
      this.#meet(number, true);
      await this.#running();
    }
  }

  /** Logs what happened to an effect. */
  note(what: string): void {
    this.#operations.push(`${this.#clock.now() - NOW} ${this.name} ${what}`);
  }

  #meet(effect: number, after: boolean): void {
    const { kill, suspend, stop } = this.#plan;
    if (kill !== null && kill.effect === effect && kill.after === after && !this.#isDead) {
      this.#isDead = true;
      this.note("killed");
      this.#kill("killed");
    }
    if (suspend !== null && suspend.effect === effect && !after) {
      this.note(`suspended ${suspend.ms}`);
      this.#sleepsUntil = this.#clock.now() + suspend.ms;
      this.#frozenMs += suspend.freezes ? suspend.ms : 0;
    }
    if (stop !== null && "effect" in stop && stop.effect === effect && !after) {
      this.#askToStop();
    }
  }

  async #running(): Promise<void> {
    while (this.#clock.now() < this.#sleepsUntil) {
      await this.#clock.sleep(this.#sleepsUntil - this.#clock.now());
    }
    if (this.#isDead) {
      await new Promise(never);
    }
  }

  #askToStop(): void {
    if (!this.#isDead) {
      this.note("asked to stop");
      this.stoppedAt = Math.max(this.#clock.now(), this.#sleepsUntil);
      this.stop.abort();
    }
  }

  #drawing(seed: number): Random {
    const draw = prng(hash32(seed, this.number, 71));
    let ids = 0;
    return {
      next: () => {
        const drawn = draw.next();
        this.note(`draw ${drawn.toFixed(6)}`);
        return drawn;
      },
      id: () => {
        ids += 1;
        return `${this.name}-${ids}`;
      },
    };
  }
}

function never(): void {
  // never resolves
}
