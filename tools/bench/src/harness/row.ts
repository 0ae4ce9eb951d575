import type { Ground } from './ground.ts';
import type { Figure } from './statistics.ts';

/** The result of one run of one side. */
export interface Measured {
  /** In the row's unit; the ratio is computed from it. */
  readonly value: number;
  /** Shown, but not part of the ratio. */
  readonly figures?: readonly Figure[];
}

/** The two sides of a row, run alternately, any number of times. */
export interface Contest {
  /** The code that users run. */
  readonly subject: () => Promise<Measured>;
  /** The baseline. */
  readonly base: () => Promise<Measured>;
}

/** One comparison, with a ratio as its result. */
export interface Row {
  /** For `--only`. */
  readonly name: string;
  readonly subject: string;
  readonly base: string;
  /** Whether it takes many minutes: then it runs only if named. */
  readonly isLong?: boolean;
  /** The unit of both sides' values. A ratio above 1 is good for a rate, one below 1 for a time. */
  readonly unit: '/s' | 'ms' | 'µs';
  /**
   * Sets up both sides; each is then run once to warm up. Cleanup is registered with `ground.defer`.
   */
  readonly prepare: (ground: Ground) => Promise<Contest>;
}
