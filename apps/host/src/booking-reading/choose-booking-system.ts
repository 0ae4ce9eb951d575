import type { PoolSetup } from '@waiver-service/store';
import { HttpProblem } from '../http/http-problem.ts';

/**
 * Chooses one of a pool's installed booking systems for a request that names none: the pool's default, otherwise the
 * only one; `undefined` if there is none.
 * @throws HttpProblem 409 `booking_system_ambiguous` if there are several and no default
 */
export function chooseBookingSystem({
  pool,
  bookingSystems,
  defaultBookingSystem,
}: Pick<PoolSetup, 'pool' | 'bookingSystems' | 'defaultBookingSystem'>): string | undefined {
  if (defaultBookingSystem !== null) return defaultBookingSystem;
  if (bookingSystems.length > 1) {
    throw new HttpProblem(
      409,
      'booking_system_ambiguous',
      `Several booking systems are installed for pool ${JSON.stringify(pool)}: name one of them as bookingSystem (${bookingSystems.join(', ')}), or set the pool’s defaultBookingSystem.`,
    );
  }
  return bookingSystems[0];
}

/** 424: the booking system is not installed for the pool, or the pool has none. */
export function notInstalled(
  { pool, pendingBookingSystems }: Pick<PoolSetup, 'pool' | 'pendingBookingSystems'>,
  bookingSystem: string | undefined = pendingBookingSystems[0],
): HttpProblem {
  if (bookingSystem !== undefined && pendingBookingSystems.includes(bookingSystem)) {
    return new HttpProblem(
      424,
      'not_installed',
      `${bookingSystem} waits for an operator’s approval for this pool: POST /v1/admin/pools/{pool}/installations/${bookingSystem}/approve.`,
    );
  }
  if (bookingSystem !== undefined) {
    return new HttpProblem(424, 'not_installed', `${bookingSystem} is not installed for this pool.`);
  }
  return new HttpProblem(
    424,
    'not_installed',
    `No booking system is installed for pool ${JSON.stringify(pool)}. Install one from its own dashboard, or by PUT /v1/admin/pools/{pool}/installations/{booking_system}.`,
  );
}
