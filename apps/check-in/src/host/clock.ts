/*
 * The service's time on this device. A device's clock may be a day off, and guests may change it: no date is taken from
 * it. Each answer of the service tells its time; the difference is kept, also for a page that opens without signal.
 */

interface Comparison {
  /** By how many milliseconds the device's clock is ahead of the service's. */
  readonly aheadMs: number;
  /** The service's time then. Milliseconds since 1970. */
  readonly at: number;
}

const key = 'check-in-clock';
let last: Comparison | undefined;

function compared(): Comparison | undefined {
  if (last !== undefined) return last;
  try {
    last = JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    // No access: known until the page is closed.
  }
  return last;
}

/** Compares the clocks by an answer of the service. */
export function compareClocks({ headers }: Response): void {
  const at = Date.parse(headers.get('date') ?? '');
  // A proxy's page says nothing of the service.
  if (Number.isNaN(at) || !headers.get('content-type')?.startsWith('application/json')) return;
  last = { aheadMs: Date.now() - at, at };
  try {
    localStorage.setItem(key, JSON.stringify(last));
  } catch {
    // As above.
  }
}

/** By how many milliseconds this device's clock was ahead when last compared; undefined if it never was. */
export const clockAheadMs = (): number | undefined => compared()?.aheadMs;

/** The service's time: never before its last answer. The device's as long as there was none. */
export function serviceNow(): Date {
  const { aheadMs, at } = compared() ?? { aheadMs: 0, at: 0 };
  return new Date(Math.max(at, Date.now() - aheadMs));
}
