import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import {
  bearerToken,
  cookieName,
  cookieOptions,
  countedAddress,
  createFailureThrottle,
  HttpProblem,
  isAtLeast,
  isScope,
  type Person,
  visitCookieOptions,
} from '@waiver-service/http';
import { type Authentication, BaseUrl, type WaiverApp, waiverApp } from '@waiver-service/integration';
import { isSameSecret } from '@waiver-service/plugin-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable, type ServiceIdentifier } from 'inversify';
import { RequestAudit } from '../audit/audit-requests.ts';
import { PeopleStore } from '../data/people-store.ts';
import { maxSessionMs, type SessionOwner } from '../data/person-sessions.ts';
import { rulesOf } from '../sign-in/person-of-claims.ts';
import { PeopleSettings } from '../sign-in/sign-in-settings.ts';

const sessionName = 'waiver_service_session';
const visitName = 'waiver_service_sign_in';

/** The header that the console sends. Neither a link, nor a form, nor a page of another origin can add it. */
const consoleHeader = 'x-waiver-console';

/** Whether a request is the console's own, which no other site can make a browser send. */
export function isOfConsole({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site = 'same-origin' } = headers;
  return headers[consoleHeader] !== undefined && site === 'same-origin';
}

/**
 * The session of a request that the console made; `undefined` for any other. The cookie is not enough: browsers add
 * it to requests that other sites cause. Over https, only a cookie that no other host of the domain can set counts.
 */
export function sessionOf(request: FastifyRequest, baseUrl: string): string | undefined {
  const { headers, cookies } = request;
  if (headers.authorization !== undefined || !isOfConsole(request)) return undefined;
  return cookies[cookieName(baseUrl, sessionName)];
}

export function setSession(reply: FastifyReply, baseUrl: string, session: string): void {
  reply.setCookie(cookieName(baseUrl, sessionName), session, {
    ...cookieOptions(baseUrl),
    maxAge: maxSessionMs / 1_000,
  });
}

export function clearSession(reply: FastifyReply, baseUrl: string): void {
  reply.clearCookie(cookieName(baseUrl, sessionName), cookieOptions(baseUrl));
}

export const visitOf = ({ cookies }: FastifyRequest, baseUrl: string): string | undefined =>
  cookies[cookieName(baseUrl, visitName)];

export function setVisit(reply: FastifyReply, baseUrl: string, visit: string, validMs: number): void {
  reply.setCookie(cookieName(baseUrl, visitName), visit, {
    ...visitCookieOptions(baseUrl),
    maxAge: validMs / 1_000,
  });
}

export function clearVisit(reply: FastifyReply, baseUrl: string): void {
  reply.clearCookie(cookieName(baseUrl, visitName), visitCookieOptions(baseUrl));
}

/** Lets whoever has it do everything; it is in no database. */
export type AdminToken = string;
export const AdminToken: ServiceIdentifier<AdminToken> = Symbol('AdminToken');

// No secret of this service contains it.
const separator = '.';

/**
 * Binds sessions and sign-in codes to the admin token, which is in no database: replacing it invalidates all of its
 * sessions and sign-in codes.
 */
@injectable()
export class AdminSeal {
  constructor(@inject(AdminToken) private readonly adminToken: AdminToken) {}

  /** Only for the admin token's secrets: a person who has a sealed secret could test guesses of the admin token. */
  seal(secret: string): string {
    return `${secret}${separator}${this.sealOf(secret)}`;
  }

  /** The secret in a sealed text, and whether this admin token sealed it. */
  open(text: string): { readonly secret: string; readonly isSealed: boolean } {
    const [secret = '', seal] = text.split(separator, 2);
    return { secret, isSealed: isSameSecret(seal, this.sealOf(secret)) };
  }

  private sealOf(secret: string): string {
    return createHmac('sha256', this.adminToken).update(secret).digest('base64url');
  }
}

/** Calls with one wrong token that get 401, per address and minute; then 429. Valid tokens have no limit. */
export const wrongTokensPerMinute = 600;

const digest = (text: string) => hash('sha256', text, 'buffer');

function unauthorized(): HttpProblem {
  return new HttpProblem(
    401,
    'unauthorized',
    'A valid token is needed, sent as Authorization: Bearer <token>.',
    { headers: { 'www-authenticate': 'Bearer realm="waiver-service"' } },
  );
}

// Cannot be revoked.
const admin: Person = {
  kind: 'person',
  name: 'admin',
  role: 'owner',
  pools: 'all',
  proof: 'admin-token',
  actor: 'admin-token',
  seesGuests: true,
};

type Owner = NonNullable<SessionOwner>;

/** The person whom a credential or an issuer vouches for. */
function personOf(owner: Owner): Person {
  const { name, role, pools } = owner;
  const seesGuests = isAtLeast(role, 'operator');
  const person = { kind: 'person', name, role, pools: pools ?? 'all', seesGuests } as const;
  if ('subject' in owner) return { ...person, proof: 'issuer', actor: `oidc:${owner.subject}` };
  return { ...person, proof: { credential: owner.id }, actor: `credential:${owner.id}` };
}

/** The person whom a session signs in, for the audit log and the list of sessions. */
export const personOfSession = (owner: SessionOwner): Person => (owner === null ? admin : personOf(owner));

/** Creates the {@link CallerIdentification} of this process. */
@injectable()
export class CallerIdentification implements Authentication {
  // A session counts as ended if the issuer granted its role under other rules.
  private readonly signInRules = rulesOf(this.settings.signInIssuer);
  private readonly adminDigest = digest(this.adminToken);
  private readonly throttle = createFailureThrottle(wrongTokensPerMinute);

  constructor(
    @inject(PeopleSettings) private readonly settings: PeopleSettings,
    @inject(AdminToken) private readonly adminToken: AdminToken,
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(PeopleStore) private readonly store: PeopleStore,
    @inject(RequestAudit) private readonly audit: RequestAudit,
    @inject(AdminSeal) private readonly adminSeal: AdminSeal,
  ) {}

  /**
   * By the request's bearer token, or by the session of the console.
   * @throws HttpProblem 401 `unauthorized`, 429 `too_many_failures`
   */
  async ofRequest(request: FastifyRequest): Promise<Person | WaiverApp> {
    const session = sessionOf(request, this.baseUrl());
    if (session === undefined) return this.ofToken(request, bearerToken(request));
    return (await this.ofSession(session)) ?? this.ofToken(request, session);
  }

  /** By a token from another part of the request. Throws as `ofRequest` does. */
  async ofToken(request: FastifyRequest, token: string | undefined): Promise<Person | WaiverApp> {
    const caller = token === undefined ? undefined : await this.find(token);
    if (caller !== undefined) return caller;
    this.recordFailure(request, token);
    throw unauthorized();
  }

  /** Counts and records a wrong secret, as wrong tokens are. @throws HttpProblem 429 `too_many_failures` */
  recordFailure(request: FastifyRequest, secret: string | undefined): void {
    if (secret !== undefined && !isScope(request.routeOptions.config.access))
      this.audit.recordRefusal(request);
    this.throttle.record({ caller: countedAddress(request.ip), key: secret });
  }

  /** The person of a console session; undefined if it has ended. */
  async ofSession(session: string): Promise<Person | undefined> {
    const { secret, isSealed } = this.adminSeal.open(session);
    const found = await this.store.personSessions.find(secret);
    if (found === undefined) return undefined;
    const { owner } = found;
    if (owner === null) return isSealed ? admin : undefined;
    if ('subject' in owner && owner.rules !== this.signInRules) return undefined;
    return personOf(owner);
  }

  private async find(token: string): Promise<Person | WaiverApp | undefined> {
    if (timingSafeEqual(digest(token), this.adminDigest)) return admin;
    if (token.startsWith('wsc_')) {
      const credential = await this.store.credentials.verify(token);
      return credential && personOf(credential);
    }
    const setup = await this.store.accessTokens.verify(token);
    return setup && waiverApp(setup);
  }
}
