import type { FetchedBooking } from '@waiver-service/core';
import { createSecretRedactor } from '@waiver-service/outbound';
import { type ClauseResult, notChecked } from './clause.ts';
import { checkGuestUpdate } from './clauses/guest-update.ts';
import { checkEncodedId, checkRead } from './clauses/read-booking.ts';
import { checkNotFound, checkReadAuthentication, isKeyRefused } from './clauses/read-refusals.ts';
import { Caller } from './exchange.ts';
import type { CheckOptions } from './options.ts';

export interface CheckReport {
  /** True if no clause failed. */
  readonly ok: boolean;
  readonly bookingApi: string;
  readonly clauses: readonly ClauseResult[];
  /** The booking as the waiver service would use it, with a warning for each deviation it tolerated. */
  readonly booking: FetchedBooking | null;
}

const leftOut = (id: string, section: string, title: string, because: string): ClauseResult => ({
  id,
  section,
  title,
  verdict: notChecked(because),
});

function writes(
  caller: Caller,
  options: CheckOptions,
  fetched: FetchedBooking | undefined,
  hopeless: string | undefined,
): Promise<readonly ClauseResult[]> | readonly ClauseResult[] {
  const because = options.write ? hopeless : 'nothing is written without --write';
  if (because !== undefined) return [leftOut('write', '4.2', 'Guest Update', because)];
  return checkGuestUpdate(caller, options, fetched?.booking.guests.find(({ id }) => id)?.id);
}

// A response may echo the key.
function withoutKey(clause: ClauseResult, apiKey: string): ClauseResult {
  const { verdict } = clause;
  if (verdict.holds !== false) return clause;
  const secrets = createSecretRedactor({ key: apiKey });
  return { ...clause, verdict: { ...verdict, found: secrets.redact(verdict.found) } };
}

/** Checks a booking system's two endpoints against the contract. */
export async function check(options: CheckOptions): Promise<CheckReport> {
  const { bookingApi, apiKey, timeout } = options;
  const caller = new Caller({ baseUrl: bookingApi, apiKey, timeoutMs: timeout * 1000 });
  try {
    const { results, fetched, called } = await checkRead(caller, options);
    const hopeless = called.isAnswered ? undefined : 'nothing answers there';
    const because = hopeless ?? (isKeyRefused(called) ? 'the key was refused' : undefined);
    const further =
      because === undefined
        ? [
            await checkEncodedId(caller, options, called),
            ...(await checkReadAuthentication(caller, options)),
            ...(await checkNotFound(caller, options)),
          ]
        : [leftOut('read/…', '4.1, 5, 7', 'keys, missing bookings, encoded ids', because)];
    const found = [...results, ...further, ...(await writes(caller, options, fetched, hopeless))];
    const clauses = found.map((clause) => withoutKey(clause, apiKey));
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
