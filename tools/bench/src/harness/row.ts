import type { Ground } from './ground.ts';

/** A number that stands beside the ratio. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: '/s' | 'ms' | 'µs' | '';
}

/** What one run of one side came to. */
export interface Measured {
  /** What the ratio is taken of, in the row's unit. */
  readonly value: number;
  /** Seconds, per second, percentiles: for the eye, not for the ratio. */
  readonly figures?: readonly Figure[];
}

/** The two sides of a row, ready to run in turn, any number of times. */
export interface Contest {
  /** What is measured: the code that users run. */
  readonly subject: () => Promise<Measured>;
  /** What it is held against. */
  readonly base: () => Promise<Measured>;
}

/** One question of the benchmarks, answered with a ratio. */
export interface Row {
  /** For `--only`. */
  readonly name: string;
  readonly subject: string;
  readonly base: string;
  /** What both sides' values are. Of a rate, a ratio above 1 is good; of a time, one below. */
  readonly unit: '/s' | 'ms' | 'µs';
  /**
   * Sets up what both sides need, and warms them up. What it starts, it hands to `ground.defer`.
   *
   * @throws LeftOut where this machine lacks something that the row needs.
   */
  readonly prepare: (ground: Ground) => Promise<Contest>;
}

/** A row that cannot run here, and why, in a sentence. */
export class LeftOut extends Error {
  override name = 'LeftOut';
}
