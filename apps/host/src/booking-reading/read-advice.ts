import { isBookingSystemError, type OutboundErrorCode } from '@waiver-service/core';
import { HttpProblem } from '../http/http-problem.ts';

const askVendor = 'If it stays so, tell the vendor the address and the time.';

const byOutboundCode: Readonly<Partial<Record<OutboundErrorCode, string>>> = {
  dns_error:
    'Look for a typing error in the base address. If it is right, the name is missing in the DNS that this host uses: ask its operator, or the vendor.',
  blocked_address:
    'Private and reserved addresses are not called. If the booking system really is in your own network, put its address into OUTBOUND_ALLOW and start the host again.',
  connection_refused: `Nothing takes connections at that address and port. Check both; if they are right, the server is down or a firewall turns this host away. ${askVendor}`,
  connection_reset: `The server closed the connection before it had answered. Try again. ${askVendor}`,
  tls_error:
    'The vendor has to put its certificate in order. Only if it is a server of your own, trust its certificate with NODE_EXTRA_CA_CERTS. If the address has https but the server speaks plain http, correct the address.',
  timeout: `Try again. If there was no connection at all, ask the vendor whether this host’s address has to be allowed in its firewall; if there was, its server is slow. ${askVendor}`,
  redirect: 'Set the base address that it redirects to: redirects are not followed.',
  response_too_large: 'Ask the vendor for an answer with only this booking.',
};

const byErrorCode: Readonly<Record<string, string>> = {
  booking_not_found:
    'Look the booking up in the booking system’s own back office: the id there is the one to ask for. If it is there, the base address or the account is not the right one.',
  booking_system_auth_rejected:
    'The key is wrong, was replaced, or may not read bookings. Take the key from the account in the booking system and install it again; for one that is authorized in a browser, renew that on the pool’s page.',
  booking_system_rate_limited:
    'The booking system asked for fewer requests, or its limit is used up. Wait the time that it says, then try again.',
  booking_system_not_configured:
    'Complete the settings on the page of the booking system. What belongs to the account is given by installing it again.',
  not_installed:
    'Install it from its own dashboard, with an install key and the id of the pool, or by hand. One that waits for approval is approved on the pool’s page.',
  booking_system_ambiguous: 'Name one of the installed booking systems.',
};

const unusable = {
  parse:
    'An answer that is not JSON is mostly a log-in page or an error page: check the base address. If it is right, the vendor has to answer with JSON.',
  form: 'The answer is JSON, but no booking in a form that the plugin knows. Check the base address and the version of the API in it, and compare the answer below with the vendor’s documentation.',
  normalize:
    'The answer looks like a booking, but lacks what one needs. Send the vendor the fields that are named here, with the answer below.',
};

/** Advice on a failed read, for the person who sets up an installation. */
export function adviceFor(error: unknown, step: string): string | undefined {
  if (error instanceof HttpProblem) return byErrorCode[error.code];
  if (!isBookingSystemError(error)) return undefined;
  if (error.code === 'invalid_booking_response' && error.outboundErrorCode === undefined) {
    return step === 'parse' || step === 'form' ? unusable[step] : unusable.normalize;
  }
  const code = error.outboundErrorCode;
  return byErrorCode[error.code] ?? (code && byOutboundCode[code]) ?? `Try again. ${askVendor}`;
}
