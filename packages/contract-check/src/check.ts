import type { FetchedBooking } from '@waiver-service/core';
import { createSecretRedactor, type Outbound } from '@waiver-service/outbound';
import { type CheckOptions, type ClauseResult, notChecked, timeIsOver } from './clause.ts';
import { checkGuestUpdate } from './clauses/guest-update.ts';
import { checkEncodedId, checkRead } from './clauses/read-booking.ts';
import { checkNotFound, checkReadAuthentication, isKeyRefused } from './clauses/read-refusals.ts';
import { Caller } from './exchange.ts';

/** A check's requests, for a person to read before it starts. */
export interface SentByCheck {
  readonly reads: readonly string[];
  /** Only with `write`. */
  readonly writes: readonly string[];
}

/** @param pathShape - with `query`, no id in a path is tested */
export function sentByCheck(pathShape: 'path' | 'query'): SentByCheck {
  return {
    reads: [
      'It reads the booking.',
      ...(pathShape === 'path'
        ? ['It reads the booking with every character of its id percent-encoded.']
        : []),
      'It asks for the booking without a key, and with a wrong key: both should be refused. The booking system may note that as two failed log-ins.',
      'It asks for two bookings that are not there.',
    ],
    writes: [
      'It sends Guest Updates of two made-up waivers, one of them with a very long id, and a later version of the first. None names a person.',
      'It sends one of them with a wrong key, which should be refused.',
      'In the end it voids both waivers. Whatever the booking system does with a waiver, such as a note or a mail, it may do for these: choose a booking that is meant for tests.',
    ],
  };
}

/** How to run a check. */
export interface CheckRun {
  /** Makes the calls. */
  readonly outbound: Pick<Outbound, 'prepareHttp'>;
  /** Aborts the check; whatever it wrote is still voided. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each clause as soon as it is checked. */
  readonly onClause?: ((clause: ClauseResult) => void) | undefined;
}

export interface CheckOutcome {
  /** True if no clause failed. */
  readonly ok: boolean;
  readonly bookingApi: string;
  readonly clauses: readonly ClauseResult[];
  /** The booking as the waiver service would use it, with a warning for each deviation that no failed clause says. */
  readonly booking: FetchedBooking | null;
}

const leftOut = (id: string, section: string, title: string, because: string): ClauseResult => ({
  id,
  section,
  title,
  verdict: notChecked(because),
});

// A response may echo the key.
function withoutKey(clause: ClauseResult, apiKey: string): ClauseResult {
  const { verdict } = clause;
  if (verdict.holds !== false) return clause;
  const secrets = createSecretRedactor({ key: apiKey });
  return { ...clause, verdict: { ...verdict, found: secrets.redact(verdict.found) } };
}

/** Checks a booking system's two endpoints against the contract. */
export async function checkContract(
  options: CheckOptions,
  { outbound, signal = new AbortController().signal, onClause }: CheckRun,
): Promise<CheckOutcome> {
  const { bookingApi, apiKey } = options;
  const caller = new Caller({ baseUrl: bookingApi, apiKey, outbound, signal });
  const clauses: ClauseResult[] = [];
  const report = (...results: readonly ClauseResult[]) => {
    for (const result of results) {
      // An aborted call says nothing about the booking system.
      const isBrokenOff = caller.isOver && result.verdict.holds === false;
      const clause = isBrokenOff
        ? { ...result, verdict: notChecked(timeIsOver) }
        : withoutKey(result, apiKey);
      clauses.push(clause);
      onClause?.(clause);
    }
  };
  const { results, fetched, called } = await checkRead(caller, options);
  report(...results);
  const over = () => (caller.isOver ? timeIsOver : undefined);
  const hopeless = called.isAnswered ? undefined : 'nothing answers there';
  const because = hopeless ?? (isKeyRefused(called) ? 'the key was refused' : over());
  if (because === undefined) {
    report(await checkEncodedId(caller, options, called));
    report(...(await checkReadAuthentication(caller, options)));
    report(...(await checkNotFound(caller, options)));
  } else report(leftOut('read/…', '4.1, 5, 7', 'keys, missing bookings, encoded ids', because));
  const notWritten = options.write ? (hopeless ?? over()) : options.advice.nothingWritten;
  if (notWritten === undefined) {
    const bookingGuestId = fetched?.booking.guests.find(({ id }) => id)?.id;
    for await (const clause of checkGuestUpdate(caller, options, bookingGuestId)) report(clause);
  } else report(leftOut('write', '4.2', 'Guest Update', notWritten));
  const ok = clauses.every(({ verdict }) => verdict.holds !== false);
  return { ok, bookingApi, clauses, booking: fetched ?? null };
}
