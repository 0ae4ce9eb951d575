/** The times of a run, in milliseconds: a year's, shortened to reach a steady state early. */
export interface SoakTimes {
  readonly totalMs: number;
  /** The period of one line of the table. */
  readonly lineMs: number;
  readonly sampleMs: number;
  /** How long deliveries, dead letters and attempts are kept. */
  readonly retentionMs: number;
  /** How long waivers are kept. */
  readonly waiverRetentionMs: number;
  readonly pruneIntervalMs: number;
  /**
   * When one destination breaks, and when it recovers; like the restart, in the first third, from which no figure is
   * taken.
   */
  readonly breakAtMs: number;
  readonly mendAtMs: number;
  /** When one of the hosts is replaced. */
  readonly restartAtMs: number;
}

const maxSampleMs = 30_000;

export function timesOf(minutes: number): SoakTimes {
  const totalMs = minutes * 60_000;
  return {
    totalMs,
    lineMs: totalMs / 12,
    sampleMs: Math.min(maxSampleMs, totalMs / 60),
    retentionMs: totalMs / 12,
    waiverRetentionMs: totalMs / 8,
    pruneIntervalMs: totalMs / 60,
    breakAtMs: totalMs * 0.1,
    mendAtMs: totalMs * 0.18,
    restartAtMs: totalMs * 0.25,
  };
}
