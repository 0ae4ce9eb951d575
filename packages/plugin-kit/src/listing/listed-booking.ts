import {
  type BookingSystemPlugin,
  type FetchedBooking,
  type InstalledAccount,
  InvalidBookingResponse,
  isInvalidBookingResponse,
  isStorableText,
  type ListedBooking,
  MalformedListCursor,
  makeSignable,
  type SentSecrets,
} from '@waiver-service/core';
import type { z } from 'zod';
import { judgingContext } from '../answers/judging-context.ts';
import { isJsonObject, type JsonObject } from '../reading/json.ts';
import { textOf } from '../reading/vendor-fields.ts';
import { redactEchoes, withoutSecrets } from '../secrets.ts';

type ListingFunctions<S, A extends InstalledAccount> = Pick<
  BookingSystemPlugin<S, A>,
  'listBookings' | 'changesSince' | 'checkAccess'
>;

const reading = { purpose: 'read' } as const;

const maxCursorLength = 2_000;

function signableOrProblem(bookingId: string, fetched: FetchedBooking): ListedBooking {
  try {
    return { bookingId, fetched: makeSignable(fetched) };
  } catch (error) {
    if (isInvalidBookingResponse(error)) return { bookingId, problem: error };
    throw error;
  }
}

async function withoutSecretsIn(listed: ListedBooking, secrets: SentSecrets): Promise<ListedBooking> {
  const { fetched, problem } = listed;
  // Redacts the problem's texts in place.
  if (problem !== undefined) await withoutSecrets(secrets, () => Promise.reject(problem)).catch(() => {});
  if (fetched === undefined) return listed;
  redactEchoes(fetched.booking, secrets);
  return signableOrProblem(listed.bookingId, await withoutSecrets(secrets, async () => fetched));
}

/** Wraps the functions not about a single booking: responses are judged, and results redacted. */
export function completeListing<S, A extends InstalledAccount>(
  definition: Pick<BookingSystemPlugin<S, A>, 'displayName' | 'judgeAnswer'> & ListingFunctions<S, A>,
): ListingFunctions<S, A> {
  const { listBookings, changesSince, checkAccess } = definition;
  return {
    ...(listBookings && {
      async listBookings(given, request) {
        const context = judgingContext(definition, given, reading);
        const page = await withoutSecrets(context.secrets, async () => ({
          ...(await listBookings(context, request)),
          warnings: [],
        }));
        const { bookings, next } = page;
        const shown = bookings.map((listed) => withoutSecretsIn(listed, context.secrets));
        return { bookings: await Promise.all(shown), next };
      },
    }),
    ...(changesSince && {
      async changesSince(given, request) {
        const context = judgingContext(definition, given, reading);
        const { warnings: _, ...changes } = await withoutSecrets(context.secrets, async () => ({
          ...(await changesSince(context, request)),
          warnings: [],
        }));
        if (!isStorableText(changes.cursor) || changes.cursor.length > maxCursorLength)
          throw new InvalidBookingResponse('the cursor of its changes cannot be kept');
        return changes;
      },
    }),
    ...(checkAccess && {
      checkAccess(given) {
        const context = judgingContext(definition, given, reading);
        return withoutSecrets(context.secrets, () => checkAccess(context));
      },
    }),
  };
}

/** The id of a booking in a list. Throws InvalidBookingResponse if there is none. */
export function listedId(id: unknown): string {
  const bookingId = textOf(id);
  if (bookingId !== undefined) return bookingId;
  throw new InvalidBookingResponse('the list has a booking without an id');
}

/** A booking in a list. One that cannot be read is listed with the reason, so that the others are still returned. */
export async function listedBooking(
  id: unknown,
  read: (bookingId: string) => FetchedBooking | Promise<FetchedBooking>,
): Promise<ListedBooking> {
  const bookingId = listedId(id);
  try {
    return { bookingId, fetched: await read(bookingId) };
  } catch (error) {
    if (isInvalidBookingResponse(error)) return { bookingId, problem: error };
    throw error;
  }
}

/** The objects of a response's required list. Throws InvalidBookingResponse for anything else. */
export function requiredList(found: unknown, path: string): readonly JsonObject[] {
  if (Array.isArray(found) && found.every(isJsonObject)) return found;
  throw new InvalidBookingResponse(`the answer is no list of bookings: ${path} is no list of objects`);
}

/** Parses a cursor that the plugin wrote as JSON. Throws MalformedListCursor for anything else. */
export function readListCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  try {
    return schema.parse(JSON.parse(cursor));
  } catch (cause) {
    throw new MalformedListCursor('This is no cursor of this list: begin it again, without one.', { cause });
  }
}
