import type { attemptSchema, deliveryDetailSchema, deliveryItemSchema } from '@waiver-service/api';
import type { AttemptItem, DeliveryDetail, DeliveryItem } from '@waiver-service/store';
import type { z } from 'zod';
import { type Caller, seesGuests } from '../../authentication/caller.ts';
import { hiddenMessage } from '../../http/guest-data.ts';
import { ownerAnswer } from '../destinations/destination-answer.ts';

export function deliveryItem(
  delivery: DeliveryItem,
  caller: Caller | null,
): z.input<typeof deliveryItemSchema> {
  const { id, kind, state, pool, destination, waiverId, guestName, bookingId, version, createdAt } = delivery;
  return {
    ...{ id, kind, state, pool, destination, ...ownerAnswer(delivery), waiverId, version, createdAt },
    guestName: seesGuests(caller) ? guestName : null,
    bookingId: bookingId ?? undefined,
  };
}

function warningsOf(warnings: DeliveryDetail['warnings'], withGuests: boolean) {
  return warnings.map((warning) => (withGuests ? { ...warning } : { ...warning, message: hiddenMessage }));
}

function attemptAnswer(
  { warnings, response, ...attempt }: AttemptItem,
  withGuests: boolean,
): z.input<typeof attemptSchema> {
  return {
    ...attempt,
    response: withGuests || response === undefined ? response : null,
    warnings: warnings && warningsOf(warnings, withGuests),
  };
}

/** A delivery with its body and attempts; without guest data if the caller may not see it. */
export function deliveryDetail(
  delivery: DeliveryDetail,
  caller: Caller | null,
): z.input<typeof deliveryDetailSchema> {
  const withGuests = seesGuests(caller);
  return {
    ...deliveryItem(delivery, caller),
    ...(withGuests ? { body: JSON.parse(delivery.body) } : { body: null, redacted: true as const }),
    nextAttemptAt: delivery.nextAttemptAt ?? undefined,
    reason: withGuests || delivery.reason === null ? (delivery.reason ?? undefined) : hiddenMessage,
    warnings: warningsOf(delivery.warnings, withGuests),
    attempts: delivery.attempts.map((attempt) => attemptAnswer(attempt, withGuests)),
  };
}
