import type { holdSchema, waiverRecordSchema } from '@waiver-service/api';
import { HttpProblem, malformed } from '@waiver-service/http';
import type { Hold } from '@waiver-service/store';
import { maxAnswersBytes, type WaiverRecord } from '@waiver-service/waivers';
import type { z } from 'zod';
import type { Store } from '../given.ts';
import type { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { chooseBookingSystem } from '../reading/booking-sources.ts';

/** 404: the pool has no such waiver. The same if another pool has it. */
export function waiverNotFound(id: string): HttpProblem {
  return new HttpProblem(404, 'waiver_not_found', `This pool has no waiver ${JSON.stringify(id)}.`);
}

export function waiverErased(id: string): HttpProblem {
  return new HttpProblem(
    410,
    'waiver_erased',
    `The waiver ${JSON.stringify(id)} was erased, as its guest had asked. Its id cannot be used again.`,
  );
}

/** 410 for a waiver that was erased, else 404. */
export async function missingWaiver(
  { store }: { readonly store: { readonly waivers: Pick<Store['waivers'], 'isErased'> } },
  pool: string,
  id: string,
): Promise<HttpProblem> {
  return (await store.waivers.isErased(pool, id)) ? waiverErased(id) : waiverNotFound(id);
}

/** 409: the id is taken. Reveals nothing about the other waiver, which may be another pool's. */
export function waiverExists(): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_exists',
    'A waiver with this id exists already. Leave the id out, choose another, or change the waiver by PATCH.',
  );
}

/** 409: the waiver was voided, which is final. */
export function waiverVoided(id: string): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_voided',
    `The waiver ${JSON.stringify(id)} was voided, which is final. Sign a new one.`,
  );
}

/** 413: more answers than a record can hold. */
export function waiverTooLarge(): HttpProblem {
  return new HttpProblem(
    413,
    'waiver_too_large',
    `The answers of this waiver would be larger than ${maxAnswersBytes / 1024} KiB as JSON. Send less, or remove answers first (an answer that is null is removed).`,
  );
}

type AnsweredField = Exclude<keyof WaiverRecord, 'lastVisitSource' | 'begun'>;

/** A record in the form of {@link waiverRecordSchema}; `withAnswers` is false if the caller may not see them. */
export function waiverRecordAnswer(
  { lastVisitSource: _, begun: _begun, ...record }: WaiverRecord,
  withAnswers: boolean,
): Pick<z.input<typeof waiverRecordSchema>, AnsweredField | 'redacted'> {
  return {
    ...record,
    activities: [...record.activities],
    ...(withAnswers ? { answers: { ...record.answers } } : { answers: null, redacted: true as const }),
    lastVisit: record.lastVisit,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}

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

/** A hold in the form of {@link holdSchema}; `withReason` is false if the caller may not see it. */
export const holdAnswer = (hold: Hold, withReason: boolean): z.input<typeof holdSchema> =>
  withReason ? hold : { ...hold, reason: null };
