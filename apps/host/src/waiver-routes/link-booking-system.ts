import type { Store } from '@waiver-service/store';
import { chooseBookingSystem } from '../booking-reading/booking-sources.ts';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { HttpProblem, malformed } from '../http/http-problem.ts';

/**
 * Checks the booking system that a request names. It need not be installed: a signed waiver is always accepted.
 * @throws HttpProblem 400 if no plugin has that name
 */
export function checkBookingSystem(
  bookingSystem: string,
  { bookingSystems }: { readonly bookingSystems: Pick<BookingSystemResolver, 'manifests'> },
): void {
  const names = bookingSystems.manifests().map((manifest) => manifest.installName);
  if (names.includes(bookingSystem)) return;
  const message = `no booking system is named ${JSON.stringify(bookingSystem)}; there are: ${names.join(', ')}`;
  throw malformed([{ path: 'bookingSystem', message }]);
}

/**
 * The booking system of a booking if the request names none: the pool's default, otherwise its only installation,
 * `null` if it has none.
 * @throws HttpProblem 409 `booking_system_ambiguous` if there are several and no default
 */
export async function bookingSystemOfPool(
  pool: string,
  { store }: { readonly store: Pick<Store, 'pools'> },
): Promise<string | null> {
  const setup = await store.pools.setup(pool);
  return (setup && chooseBookingSystem(setup)) ?? null;
}

/**
 * The booking system that a request names, otherwise that of the pool.
 * @throws HttpProblem 400 if no plugin has that name, 409 `booking_system_ambiguous`, 424 `not_installed`
 */
export async function requireBookingSystem(
  services: Parameters<typeof checkBookingSystem>[1] & Parameters<typeof bookingSystemOfPool>[1],
  pool: string,
  named: string | undefined,
): Promise<string> {
  if (named !== undefined) checkBookingSystem(named, services);
  const bookingSystem = named ?? (await bookingSystemOfPool(pool, services));
  if (bookingSystem !== null) return bookingSystem;
  throw new HttpProblem(424, 'not_installed', 'No booking system is installed for this pool: install one.');
}
