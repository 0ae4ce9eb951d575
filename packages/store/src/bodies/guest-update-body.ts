import { waiverFieldNames } from '@waiver-service/core';
import type { WaiverRecord } from '../waivers/waiver-record.ts';
import { sharedAnswers } from './shared-answers.ts';

/**
 * The body of Guest Update (contract 4.2, 2.5), as JSON text: the seven fields in the contract's order, then the
 * answers that the installation shares. `bookingGuestId` is left out where it is not known.
 */
export function guestUpdateBody(
  waiver: WaiverRecord & { readonly bookingId: string },
  shareProperties: readonly string[],
): string {
  const { id, pool, bookingId, bookingGuestId, lastVisit, deleted, updatedAt, answers } = waiver;
  return JSON.stringify({
    waiver: {
      id,
      pool,
      bookingId,
      ...(bookingGuestId === null ? {} : { bookingGuestId }),
      lastVisit: lastVisit.toISOString(),
      deleted,
      updatedAt: updatedAt.toISOString(),
      ...sharedAnswers(answers, shareProperties, waiverFieldNames),
    },
  });
}
