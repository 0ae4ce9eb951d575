import { webhookGuestFieldNames } from '@waiver-service/core';
import type { WaiverRecord } from '../waivers/waiver-record.ts';
import { sharedAnswers } from './shared-answers.ts';

/**
 * The body of the guest webhook (contract 4.3, 2.6), as JSON text: the contract's fields in its order, then the
 * answers that the webhook lists. Times have milliseconds and `Z`.
 */
export function guestWebhookBody(waiver: WaiverRecord, properties: readonly string[]): string {
  const { answers } = waiver;
  const feedback = Object.hasOwn(answers, 'feedback') ? answers.feedback : undefined;
  return JSON.stringify({
    guest: {
      id: waiver.id,
      pool: waiver.pool,
      activities: waiver.activities,
      createdAt: waiver.createdAt.toISOString(),
      updatedAt: waiver.updatedAt.toISOString(),
      lastVisit: waiver.lastVisit.toISOString(),
      deleted: waiver.deleted,
      feedback: typeof feedback === 'string' ? feedback : '',
      currentPage: waiver.currentPage,
      reservationsID: waiver.bookingId,
      reservationsService: waiver.bookingSystem ?? '',
      ...sharedAnswers(answers, properties, webhookGuestFieldNames),
    },
  });
}
