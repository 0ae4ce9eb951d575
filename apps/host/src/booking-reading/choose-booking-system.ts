import { HttpProblem } from '../http/http-problem.ts';

/**
 * Which of a pool's installed booking systems a request means that names none: the only one there is, `undefined`
 * where there is none.
 * @throws HttpProblem 409 `booking_system_ambiguous` where there are several
 */
export function chooseOnlyBookingSystem(pool: string, installed: readonly string[]): string | undefined {
  if (installed.length > 1) {
    throw new HttpProblem(
      409,
      'booking_system_ambiguous',
      `Several booking systems are installed for pool ${JSON.stringify(pool)}: name one of them as bookingSystem (${installed.join(', ')}).`,
    );
  }
  return installed[0];
}

/** A 424 for a pool that has no booking system to ask. */
export function notInstalled(pool: string): HttpProblem {
  return new HttpProblem(
    424,
    'not_installed',
    `No booking system is installed for pool ${JSON.stringify(pool)}. Install one from its own dashboard, or by PUT /v1/admin/pools/{pool}/installations/{booking_system}.`,
  );
}
