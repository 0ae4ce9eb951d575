import type { FetchedBooking } from '@waiver-service/core';
import { type ClauseResult, notLookedAt } from './clause.ts';
import { checkGuestUpdate } from './clauses/guest-update.ts';
import { checkRead } from './clauses/read-booking.ts';
import { checkNotFound, checkReadAuthentication } from './clauses/read-refusals.ts';
import { Caller } from './exchange.ts';
import type { CheckOptions } from './options.ts';

/** How a booking system's endpoints came out. */
export interface CheckReport {
  /** No clause failed. */
  readonly ok: boolean;
  readonly bookingApi: string;
  readonly clauses: readonly ClauseResult[];
  /** The booking as the waiver service would use it, with a warning for each thing it had to forgive. */
  readonly booking: FetchedBooking | null;
}

const guestUpdateLeftOut: ClauseResult = {
  id: 'write',
  section: '4.2',
  title: 'Guest Update',
  verdict: notLookedAt('nothing is written without --write'),
};

/** Checks a booking system's two endpoints, clause by clause. */
export async function check(options: CheckOptions): Promise<CheckReport> {
  const { bookingApi, apiKey, timeout } = options;
  const caller = new Caller({ baseUrl: bookingApi, apiKey, timeoutMs: timeout * 1000 });
  try {
    const { results, fetched } = await checkRead(caller, options);
    const isRead = results[0]?.verdict.holds === true;
    const refusals = isRead
      ? [...(await checkReadAuthentication(caller, options)), ...(await checkNotFound(caller, options))]
      : [];
    const writes = options.write ? await checkGuestUpdate(caller, options) : [guestUpdateLeftOut];
    const clauses = [...results, ...refusals, ...writes];
    return {
      ok: clauses.every(({ verdict }) => verdict.holds !== false),
      bookingApi,
      clauses,
      booking: fetched ?? null,
    };
  } finally {
    await caller.close();
  }
}
