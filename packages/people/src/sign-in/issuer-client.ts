import { isBookingSystemError } from '@waiver-service/core';
import type { Outbound } from '@waiver-service/integration';
import type { GuardedFetch } from '@waiver-service/outbound';
import type { ServiceIdentifier } from 'inversify';
import * as openid from 'openid-client';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { IssuerVisit } from '../data/person-sessions.ts';
import { claimOf, joinedClaims, personOfClaims, rulesOf, type SignedIn } from './person-of-claims.ts';
import type { SignInIssuer } from './sign-in-settings.ts';

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
function issuerFailureOf(error: unknown): IssuerFailure {
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

/** A visit to the issuer that has begun. */
export interface BegunVisit extends Omit<IssuerVisit, 'landing'> {
  /** The issuer's page to send the browser to. */
  readonly url: string;
}

/** The client of the OpenID Connect issuer, through which people sign in. */
interface IssuerClient {
  /** @throws IssuerFailure */
  begin(redirectUri: string): Promise<BegunVisit>;
  /** @param url - the address that the issuer redirected the browser to @throws IssuerFailure */
  end(url: URL, visit: IssuerVisit): Promise<SignedIn>;
}

// Its keys are looked up again sooner if a token names an unknown one.
const rediscoverAfterMs = 3_600_000;
const clockToleranceS = 60;

const plainBody = (body: openid.FetchBody): string | undefined => {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a request to the issuer has a body that is no text');
};

/** Authenticates by Basic, the standard's default, or else with the client secret in the body. */
const authenticate =
  (secret: string): openid.ClientAuth =>
  (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const way = methods.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost;
    way(secret)(server, ...request);
  };

/** Whether the ID token lacks the person's claims, which many issuers put only in their user info. */
function isIncomplete(claims: openid.IDToken, claim: string): boolean {
  return (
    claimOf(claims, claim) === undefined ||
    (claim === 'email' && claims.email_verified === undefined) ||
    (claims.name === undefined && claims.email === undefined)
  );
}

// The standard's limits; it becomes part of the audit log.
const isSubject = (text: string) => /^[\x20-\x7e]{1,255}$/.test(text);

/**
 * Creates the {@link IssuerClient}. Verifies signatures in the issuer's direct responses, too, since there may be a
 * TLS-terminating proxy in between.
 */
function createIssuerClient(
  { issuer, clientId, clientSecret, roles }: SignInIssuer,
  fetch: GuardedFetch,
  now: () => number = () => performance.now(),
): IssuerClient {
  const scope = [...new Set(['openid', 'profile', 'email', ...roles.scopes])].join(' ');
  let discovered:
    | { readonly until: number; readonly configuration: Promise<openid.Configuration> }
    | undefined;

  const discover = () =>
    openid.discovery(
      new URL(issuer),
      clientId,
      { [openid.clockTolerance]: clockToleranceS },
      authenticate(clientSecret),
      {
        [openid.customFetch]: (url, { method, headers, body, signal }) =>
          fetch(url, { method, headers, body: plainBody(body), signal }),
        // The guard of outbound calls allows plain http only to OUTBOUND_ALLOW.
        execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
      },
    );

  function configuration(): Promise<openid.Configuration> {
    if (discovered !== undefined && now() < discovered.until) return discovered.configuration;
    const current = { until: now() + rediscoverAfterMs, configuration: discover() };
    discovered = current;
    current.configuration.catch(() => {
      if (discovered === current) discovered = undefined;
    });
    return current.configuration;
  }

  return {
    async begin(redirectUri) {
      try {
        const known = await configuration();
        const [state, nonce, verifier] = [
          openid.randomState(),
          openid.randomNonce(),
          openid.randomPKCECodeVerifier(),
        ];
        const url = openid.buildAuthorizationUrl(known, {
          redirect_uri: redirectUri,
          scope,
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, state, nonce, verifier };
      } catch (error) {
        throw issuerFailureOf(error);
      }
    },
    async end(url, { state, nonce, verifier }) {
      try {
        const known = await configuration();
        const tokens = await openid.authorizationCodeGrant(known, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined || !isSubject(claims.sub)) {
          throw new IssuerFailure('invalid', 'the issuer names no subject that the standard allows');
        }
        // The library checks that it is still valid, not that it already is.
        if (claims.iat > Date.now() / 1000 + clockToleranceS) {
          throw new IssuerFailure(
            'invalid',
            'the issuer’s ID token was issued in the future ("iat"): the clock there or here is wrong',
          );
        }
        const asksMore = isIncomplete(claims, roles.claim) && known.serverMetadata().userinfo_endpoint;
        const info = asksMore ? await openid.fetchUserInfo(known, tokens.access_token, claims.sub) : {};
        return personOfClaims(claims.sub, joinedClaims(claims, info), roles);
      } catch (error) {
        throw issuerFailureOf(error);
      }
    },
  };
}

export interface IssuerSignIn {
  readonly client: IssuerClient;
  /** Its name for people: its host. */
  readonly displayName: string;
  readonly rules: string;
}
export const IssuerSignIn: ServiceIdentifier<IssuerSignIn | undefined> = Symbol('IssuerSignIn');

export function createIssuerSignIn(
  settings: SignInIssuer | undefined,
  outbound: Pick<Outbound, 'fetch'>,
): IssuerSignIn | undefined {
  return (
    settings && {
      client: createIssuerClient(settings, outbound.fetch),
      displayName: new URL(settings.issuer).host,
      rules: rulesOf(settings),
    }
  );
}
