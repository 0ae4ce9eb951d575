/** An installation whose bookings are read again. */
export interface RefreshSource {
  readonly pool: string;
  readonly bookingSystem: string;
}

/** The refreshes in progress, and the failing booking systems. */
export interface RefreshLoad {
  /** One entry for each running read. */
  readonly underWay: readonly RefreshSource[];
  /** The installations whose last read failed; those that are held get no reads. */
  readonly failing: readonly (RefreshSource & { readonly isHeld: boolean })[];
}

/** The number of refreshes that may start. */
export interface RefreshShares {
  readonly limit: number;
  /** The maximum for each installation that is not listed. */
  readonly perInstallation: number;
  readonly listed: readonly (RefreshSource & { readonly free: number })[];
}

export const maxReads = 16;
export const maxReadsPerInstallation = 2;
// Failing reads usually wait for a timeout: this few cannot block the others.
export const maxFailingReads = 4;

const keyOf = ({ pool, bookingSystem }: RefreshSource) => JSON.stringify([pool, bookingSystem]);

/**
 * The number of reads to start, by installation: a total limit, two per installation, one per failing installation, and
 * few for all failing ones together.
 */
export function refreshShares({ underWay, failing }: RefreshLoad): RefreshShares {
  const failingKeys = new Set(failing.map(keyOf));
  const counts = new Map<string, number>();
  for (const source of underWay) counts.set(keyOf(source), (counts.get(keyOf(source)) ?? 0) + 1);
  let failingFree = maxFailingReads - underWay.filter((source) => failingKeys.has(keyOf(source))).length;
  const listed: (RefreshSource & { readonly free: number })[] = [];
  for (const { pool, bookingSystem, isHeld } of failing) {
    const isFree = !isHeld && failingFree > 0 && !counts.has(keyOf({ pool, bookingSystem }));
    if (isFree) failingFree -= 1;
    listed.push({ pool, bookingSystem, free: isFree ? 1 : 0 });
  }
  const busy = new Map(underWay.map((source) => [keyOf(source), source]));
  for (const [key, { pool, bookingSystem }] of busy) {
    if (failingKeys.has(key)) continue;
    listed.push({
      pool,
      bookingSystem,
      free: Math.max(0, maxReadsPerInstallation - (counts.get(key) ?? 0)),
    });
  }
  return {
    limit: Math.max(0, maxReads - underWay.length),
    perInstallation: maxReadsPerInstallation,
    listed,
  };
}
