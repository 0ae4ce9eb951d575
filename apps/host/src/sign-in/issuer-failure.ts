import { isBookingSystemError } from '@waiver-service/core';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

/**
 * Why a sign-in through the issuer ended:
 *
 * - `unreachable`: the issuer did not answer, or may not be called.
 * - `invalid`: its response was invalid, and is ignored.
 * - `refused`: it did not let the person in.
 * - `not-accepted`: it did not accept the code, which works once and for a short time, or this service.
 */
export type IssuerFailureKind = 'unreachable' | 'invalid' | 'refused' | 'not-accepted';

/** A sign-in that ended at the issuer. */
export class IssuerFailure extends Error {
  override readonly name = 'IssuerFailure';
  readonly kind: IssuerFailureKind;
  /** The issuer's error code, such as `access_denied`, if it sent one. */
  readonly code: string | undefined;

  /** @param message for the log; of what the browser or the issuer sent, it may contain only error codes */
  constructor(kind: IssuerFailureKind, message: string, code?: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

// The characters of an error code (RFC 6749, 4.1.2.1), so that nothing else can be injected into a log.
const safeCode = (text: string) => (/^[\w.-]{1,100}$/.test(text) ? text : 'an unreadable error');

/** Why a call of openid-client failed, without its causes: they contain tokens and whole responses. */
export function issuerFailureOf(error: unknown): IssuerFailure {
  if (error instanceof IssuerFailure) return error;
  if (error instanceof AuthorizationResponseError) {
    const code = safeCode(error.error);
    return new IssuerFailure('refused', `the issuer did not sign the person in: ${code}`, code);
  }
  if (error instanceof ResponseBodyError) {
    const code = safeCode(error.error);
    return new IssuerFailure('not-accepted', `the issuer's token endpoint answered ${code}`, code);
  }
  const cause = error instanceof ClientError ? error.cause : undefined;
  if (cause instanceof Response && cause.status >= 500) {
    return new IssuerFailure('unreachable', `the issuer answered ${cause.status}`);
  }
  if (isBookingSystemError(cause)) return new IssuerFailure('unreachable', cause.message);
  if (error instanceof ClientError) {
    return new IssuerFailure('invalid', `the issuer's answer is not valid: ${error.message} (${error.code})`);
  }
  return new IssuerFailure('invalid', `the issuer's answer is not valid: ${String(error)}`);
}
