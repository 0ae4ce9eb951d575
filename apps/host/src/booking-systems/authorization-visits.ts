import { randomBytes } from 'node:crypto';
import { codeChallengeOf, createCodeVerifier } from '@waiver-service/plugin-kit';
import type { HostServices } from '../container/tokens.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { BookingSystemConnection } from './booking-system-connection.ts';

/** A visit to a booking system's authorization page. */
interface BegunVisit {
  /** For the operator's browser. */
  readonly url: string;
  readonly expiresAt: Date;
}

/** The parameters that a browser brought back. */
interface ReturnedBrowser {
  readonly bookingSystem: string;
  readonly state: string;
  readonly code: string;
  /** Path and query. */
  readonly path: string;
}

/**
 * Operators' visits to authorization pages. A link is good for one visit, for one installation, in the browser that
 * began it: otherwise someone who is sent a link could connect their account to the sender's installation.
 */
export interface AuthorizationVisits {
  /**
   * Begins a visit; an earlier link to the same installation becomes invalid.
   * @throws HttpProblem 404 `not_installed`, 409 `needs_no_authorization`
   * @throws BookingSystemNotConfigured
   */
  begin(pool: string, bookingSystem: string, browser: string): Promise<BegunVisit>;
  /** Ends a visit of this browser and returns its installation; `undefined` if there is no such visit. */
  end(
    bookingSystem: string,
    returned: { readonly state: string; readonly browser: string },
  ): Promise<EndedVisit | undefined>;
}

/** A visit whose browser has come back. */
export interface EndedVisit {
  readonly connection: BookingSystemConnection;
  /**
   * Opens the session of the installation.
   * @throws BookingSystemError
   */
  openSession(returned: Pick<ReturnedBrowser, 'code' | 'path'>): Promise<void>;
}

// A person has to log in, and may have to find the password.
const maxAgeMs = 15 * 60_000;
const stateBytes = 32;

/** Creates the {@link AuthorizationVisits} of this host. */
export function createAuthorizationVisits({
  store: { pools, authorizationRequests: requests },
  connector,
  baseUrl,
}: Pick<HostServices, 'store' | 'connector' | 'baseUrl'>): AuthorizationVisits {
  const redirectUriOf = (bookingSystem: string) =>
    new URL(`${baseUrl()}/integration/authorize/${bookingSystem}`).href;

  return {
    async begin(pool, bookingSystem, browser) {
      const installed = (await pools.setup(pool))?.versionOf(bookingSystem);
      const connection = installed && (await connector.connect({ destination: installed.destination }));
      if (installed === undefined || connection === undefined) {
        throw new HttpProblem(404, 'not_installed', `${bookingSystem} is not installed for this pool.`);
      }
      const authorization = connection.authorization();
      if (authorization === undefined) {
        throw new HttpProblem(
          409,
          'needs_no_authorization',
          `${connection.plugin.displayName} needs no authorization: it is called with the account’s own credentials.`,
        );
      }
      const state = randomBytes(stateBytes).toString('base64url');
      const codeVerifier = createCodeVerifier();
      const codeChallenge = await codeChallengeOf(codeVerifier);
      const redirectUri = redirectUriOf(bookingSystem);
      const url = authorization.url({ state, redirectUri, codeChallenge });
      const { destination } = installed;
      await requests.begin({ destination, bookingSystem, state, browser, codeVerifier, maxAgeMs });
      return { url: url.href, expiresAt: new Date(Date.now() + maxAgeMs) };
    },
    async end(bookingSystem, returned) {
      const visit = await requests.take(bookingSystem, returned);
      const connection = visit && (await connector.connect({ destination: visit.destination }));
      if (visit === undefined || connection === undefined) return undefined;
      return {
        connection,
        async openSession({ code, path }) {
          await connection.authorization()?.open({
            code,
            codeVerifier: visit.codeVerifier,
            redirectUri: redirectUriOf(bookingSystem),
            callbackUrl: new URL(`${baseUrl()}${path}`),
          });
        },
      };
    },
  };
}
