import { isBookingSystemError } from '@waiver-service/core';
import type { Alerts } from '@waiver-service/store';
import type { BookingSource } from './booking-sources.ts';

const noteEveryMs = 60_000;
const maxRemembered = 10_000;

/**
 * Creates a function that tells the alerts of a read whose key was rejected, once a minute for each installation: reads
 * are the only calls of a booking system that takes no Guest Updates, and come long before the first one elsewhere.
 *
 * @param now - milliseconds of a clock
 */
export function createRejectedKeys(
  alerts: Pick<Alerts, 'note'>,
  now: () => number = () => performance.now(),
): (source: Pick<BookingSource, 'destination' | 'pool'>, error: unknown) => void {
  const notedAt = new Map<string, number>();
  return ({ destination, pool }, error) => {
    if (!isBookingSystemError(error) || error.code !== 'booking_system_auth_rejected') return;
    const last = notedAt.get(destination) ?? Number.NEGATIVE_INFINITY;
    if (now() - last < noteEveryMs) return;
    if (notedAt.size >= maxRemembered) notedAt.clear();
    notedAt.set(destination, now());
    // The caller is to know the answer, and does not wait for this.
    alerts
      .note({ event: 'installation.auth_rejected', subject: destination, pool })
      .catch(() => notedAt.delete(destination));
  };
}
