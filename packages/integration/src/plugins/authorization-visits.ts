import { randomBytes } from 'node:crypto';
import { cookieName, HttpProblem, visitCookieOptions } from '@waiver-service/http';
import { codeChallengeOf, createCodeVerifier } from '@waiver-service/plugin-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { BaseUrl, Store } from '../given.ts';
import { type BookingSystemConnection, BookingSystemConnector } from './connect-booking-system.ts';

const authorizationName = 'waiver_service_authorization';

/** The secret of a browser that has begun to authorize installations at booking systems. */
export function authorizingBrowserOf({ cookies }: FastifyRequest, baseUrl: string): string | undefined {
  const browser = cookies[cookieName(baseUrl, authorizationName)];
  return browser !== undefined && /^[\w-]{43}$/.test(browser) ? browser : undefined;
}

/** Like the sign-in's cookie, it must be sent when another site redirects the browser back. */
export function setAuthorizingBrowser(
  reply: FastifyReply,
  baseUrl: string,
  browser: string,
  validMs: number,
): void {
  reply.setCookie(cookieName(baseUrl, authorizationName), browser, {
    ...visitCookieOptions(baseUrl),
    // Whole seconds only.
    maxAge: Math.ceil(validMs / 1_000),
  });
}

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

/**
 * Operators' visits to authorization pages. A link is good for one visit, for one installation, in the browser that
 * began it: otherwise someone who is sent a link could connect their account to the sender's installation.
 */
@injectable()
export class AuthorizationVisits {
  private readonly redirectUriOf = (bookingSystem: string) =>
    new URL(`${this.baseUrl()}/integration/authorize/${bookingSystem}`).href;

  constructor(
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(Store) private readonly store: Store,
    @inject(BookingSystemConnector) private readonly connector: BookingSystemConnector,
  ) {}

  /**
   * Begins a visit; an earlier link to the same installation becomes invalid.
   * @throws HttpProblem 404 `not_installed`, 409 `needs_no_authorization`
   * @throws BookingSystemNotConfigured
   */
  async begin(pool: string, bookingSystem: string, browser: string): Promise<BegunVisit> {
    const installed = (await this.store.pools.setup(pool))?.versionOf(bookingSystem);
    const connection = installed && (await this.connector.connect({ destination: installed.destination }));
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
    const redirectUri = this.redirectUriOf(bookingSystem);
    const url = authorization.url({ state, redirectUri, codeChallenge });
    const { destination } = installed;
    await this.store.authorizationRequests.begin({
      destination,
      bookingSystem,
      state,
      browser,
      codeVerifier,
      maxAgeMs,
    });
    return { url: url.href, expiresAt: new Date(Date.now() + maxAgeMs) };
  }

  /** Ends a visit of this browser and returns its installation; `undefined` if there is no such visit. */
  async end(
    bookingSystem: string,
    returned: { readonly state: string; readonly browser: string },
  ): Promise<EndedVisit | undefined> {
    const visit = await this.store.authorizationRequests.take(bookingSystem, returned);
    const connection = visit && (await this.connector.connect({ destination: visit.destination }));
    if (visit === undefined || connection === undefined) return undefined;
    return {
      connection,
      openSession: async ({ code, path }) => {
        await connection.authorization()?.open({
          code,
          codeVerifier: visit.codeVerifier,
          redirectUri: this.redirectUriOf(bookingSystem),
          callbackUrl: new URL(`${this.baseUrl()}${path}`),
        });
      },
    };
  }
}
