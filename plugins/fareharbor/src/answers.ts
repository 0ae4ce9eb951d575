import type { AnswerMeaning, BookingSystemResponse } from '@waiver-service/core';
import {
  BookingSystemNotConfigured,
  type RequestPurpose,
  raiseForStatus,
  vendorMessageIn,
} from '@waiver-service/plugin-kit';

export const displayName = 'FareHarbor';

// FareHarbor's documentation shows a code in some places and a sentence in others.
const vendorMessageOf = ({ data }: BookingSystemResponse) => vendorMessageIn(data, 'error', 'code');

const keyRejected = /app-key-invalid|user-key-invalid|app-invalid|key is invalid|invalid application/i;

/** The meanings of FareHarbor's messages and statuses. A 403 that mentions no key is the rate limit. */
export function judgeAnswer(answer: BookingSystemResponse): AnswerMeaning | undefined {
  const vendorMessage = vendorMessageOf(answer);
  const says = (words: RegExp) => words.test(vendorMessage);
  switch (answer.status) {
    case 400:
      return says(/key-missing|parameter is required/i) ? { meaning: 'bad-key', vendorMessage } : undefined;
    case 403:
      return { meaning: says(keyRejected) ? 'bad-key' : 'throttled', vendorMessage };
    case 404:
      return says(/booking-uuid-invalid|valid booking uuid/i)
        ? { meaning: 'not-found', vendorMessage }
        : undefined;
    default:
      return undefined;
  }
}

/** Throws if the account names a company that FareHarbor does not know. */
function raiseForCompany(response: BookingSystemResponse): void {
  const { status } = response;
  const isUnknown = /company-shortname-invalid|valid company shortname/i.test(vendorMessageOf(response));
  if (status !== 404 || !isUnknown) return;
  throw new BookingSystemNotConfigured(
    'FareHarbor knows no company of this shortname: install again, with the right one',
    { upstreamStatus: status, outboundErrorCode: 'http_status' },
  );
}

/** Throws the error for a response; a 2xx passes. */
export function raiseForFareHarbor(response: BookingSystemResponse, request: RequestPurpose): void {
  raiseForCompany(response);
  const vendorMessage = vendorMessageOf(response);
  raiseForStatus(response, { bookingSystem: displayName, vendorMessage, ...request });
}
