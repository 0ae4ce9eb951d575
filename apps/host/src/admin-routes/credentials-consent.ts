import type { BookingSystemPlugin } from '@waiver-service/core';
import type { BookingSystemSettings } from '@waiver-service/store';
import { HttpProblem } from '../http/http-problem.ts';

/** A booking system's address, or words for the vendor's own addresses; undefined if none is known. */
export function usualAddressOf(
  { defaultBaseUrl }: BookingSystemPlugin,
  set: BookingSystemSettings | undefined,
): string | undefined {
  return (
    set?.baseUrl ?? (typeof defaultBaseUrl === 'function' ? 'the vendor’s own addresses' : defaultBaseUrl)
  );
}

/** A change of an address that stored credentials are sent to. */
export interface AddressMove {
  /** See {@link usualAddressOf}. */
  readonly from: string | undefined;
  readonly to: string;
  /** Given by the owner. */
  readonly sendCredentialsTo: string | undefined;
  /** The number of installed accounts whose keys would be sent there. */
  readonly accounts: number;
}

/**
 * Requires an owner's consent before stored credentials are sent to another origin: an address can be changed without
 * knowing the credentials, so a mistake could leak them.
 * @throws HttpProblem 409 `credentials_go_elsewhere`
 */
export function requireConsent({ from, to, sendCredentialsTo, accounts }: AddressMove): void {
  if (from === undefined) return;
  const { origin } = new URL(to);
  const former = URL.parse(from)?.origin ?? from;
  if (former === origin) return;
  if (sendCredentialsTo !== undefined && URL.parse(sendCredentialsTo)?.origin === origin) return;
  throw new HttpProblem(
    409,
    'credentials_go_elsewhere',
    `The keys of ${accounts} installed accounts and the stored settings would be sent to ${origin}, and no longer to ${former}. If they may be, send the request again with "sendCredentialsTo": ${JSON.stringify(origin)}.`,
  );
}
