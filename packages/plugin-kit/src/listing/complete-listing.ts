import {
  type BookingSystemPlugin,
  type FetchedBooking,
  type InstalledAccount,
  InvalidBookingResponse,
  isInvalidBookingResponse,
  isStorableText,
  type ListedBooking,
  makeSignable,
  type SentSecrets,
} from '@waiver-service/core';
import { judgingContext } from '../answers/judging-context.ts';
import { redactEchoes, withoutSecrets } from '../without-secrets.ts';

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
