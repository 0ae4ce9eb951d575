import {
  AuthenticationRejected,
  type BookingSystemResponse,
  BookingSystemUnavailable,
  type Session,
  type SessionContext,
} from '@waiver-service/core';
import { detailsOf, isSuccess } from '../answers/answer-errors.ts';
import { raiseForFailure } from '../answers/raise-for-status.ts';
import { quoteVendorMessage } from '../answers/vendor-message.ts';
import { isJsonObject } from '../reading/json.ts';

// RFC 6749: 400 for an invalid grant, 401 for an unknown client. Some vendors use 403.
const refusals = new Set([400, 401, 403]);
const passingErrors = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);

// RFC 6749, appendix A.12: what the header of each later call can carry.
const sendableToken = /^[\x20-\x7e]+$/;

const maxLifetimeSeconds = 10 * 365 * 86_400;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function lifetimeSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number.parseFloat(value) : value;
  if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
  return Math.min(seconds, maxLifetimeSeconds);
}

/** Throws the error for an unsuccessful response. */
function raiseForRefusal(response: BookingSystemResponse, bookingSystem: string, remedy: string): void {
  const { status, data } = response;
  if (isSuccess(status)) return;
  const { error, error_description: description } = isJsonObject(data) ? data : {};
  const vendorMessage = [textIn(error), textIn(description)].filter((part) => part !== undefined).join(': ');
  if (!refusals.has(status) || passingErrors.has(textIn(error) ?? ''))
    raiseForFailure(response, bookingSystem, vendorMessage);
  throw new AuthenticationRejected(
    `${bookingSystem} gives no token to this installation (status ${status})${quoteVendorMessage(vendorMessage)}: ${remedy}`,
    detailsOf({ response, bookingSystem }),
  );
}

/**
 * Reads a token endpoint's response (RFC 6749, section 5). Vendors' errors differ from the RFC, so the status decides:
 * 400, 401 and 403 refuse the credentials, unless the body says that the error is temporary.
 *
 * @param former - the renewed session: its data is kept, and its refresh token unless the response has a new one
 * @throws AuthenticationRejected if the credentials are refused
 * @throws BookingSystemError if the response has no token for any other reason
 */
export function sessionOfTokenAnswer(
  response: BookingSystemResponse,
  { bookingSystem, now, remedy }: Pick<SessionContext, 'bookingSystem' | 'now' | 'remedy'>,
  former?: Session,
): Session {
  raiseForRefusal(response, bookingSystem, remedy);
  const body = isJsonObject(response.data) ? response.data : {};
  const accessToken = textIn(body.access_token);
  if (accessToken === undefined) {
    throw new BookingSystemUnavailable(
      `${bookingSystem} answered a request for a token with status ${response.status}, but without an access_token: check its base address`,
      detailsOf({ response, bookingSystem }),
    );
  }
  if (!sendableToken.test(accessToken)) {
    throw new BookingSystemUnavailable(
      `${bookingSystem} answered a request for a token with an access_token that no header can carry: it has a line break or another character than printable ASCII. Ask ${bookingSystem} for a valid one`,
      detailsOf({ response, bookingSystem }),
    );
  }
  const seconds = lifetimeSeconds(body.expires_in);
  return {
    accessToken,
    expiresAt: seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1_000),
    refreshToken: textIn(body.refresh_token) ?? former?.refreshToken,
    data: former?.data,
  };
}
