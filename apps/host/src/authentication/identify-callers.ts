import { hash, timingSafeEqual } from 'node:crypto';
import type { SessionOwner } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import type { HostServices } from '../container/tokens.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { rulesOf } from '../sign-in/person-of-claims.ts';
import type { Person, WaiverApp } from './caller.ts';
import { countedAddress, createFailureThrottle } from './failure-throttle.ts';
import { isScope } from './route-access.ts';
import { sessionOf } from './session-cookie.ts';

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

/** The bearer token of a request, if it has one. */
export const bearerToken = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer +([^\s]{1,1024})$/i.exec(headers.authorization ?? '')?.[1];

export interface CallerIdentification {
  /**
   * By the request's bearer token, or by the session of the console.
   * @throws HttpProblem 401 `unauthorized`, 429 `too_many_failures`
   */
  ofRequest(request: FastifyRequest): Promise<Person | WaiverApp>;
  /** The person of a console session; undefined if it has ended. */
  ofSession(session: string): Promise<Person | undefined>;
  /** By a token from another part of the request. Throws as `ofRequest` does. */
  ofToken(request: FastifyRequest, token: string | undefined): Promise<Person | WaiverApp>;
  /** Counts and records a wrong secret, as wrong tokens are. @throws HttpProblem 429 `too_many_failures` */
  recordFailure(request: FastifyRequest, secret: string | undefined): void;
}

// Cannot be revoked.
const admin: Person = {
  kind: 'person',
  name: 'admin',
  role: 'owner',
  pools: 'all',
  proof: 'admin-token',
  actor: 'admin-token',
};

type Owner = NonNullable<SessionOwner>;

/** The person whom a credential or an issuer vouches for. */
function personOf(owner: Owner): Person {
  const { name, role, pools } = owner;
  const person = { kind: 'person', name, role, pools: pools ?? 'all' } as const;
  if ('subject' in owner) return { ...person, proof: 'issuer', actor: `oidc:${owner.subject}` };
  return { ...person, proof: { credential: owner.id }, actor: `credential:${owner.id}` };
}

/** The person whom a session signs in, for the audit log and the list of sessions. */
export const personOfSession = (owner: SessionOwner): Person => (owner === null ? admin : personOf(owner));

type Needs = 'store' | 'adminToken' | 'adminSeal' | 'settings' | 'baseUrl' | 'audit';

/** Creates the {@link CallerIdentification} of this process. */
export function createCallerIdentification(parts: Pick<HostServices, Needs>): CallerIdentification {
  const { store, adminToken, adminSeal, settings, baseUrl, audit } = parts;
  // A session counts as ended if the issuer granted its role under other rules.
  const signInRules = rulesOf(settings.signInIssuer);
  const adminDigest = digest(adminToken);
  const throttle = createFailureThrottle(wrongTokensPerMinute);

  async function find(token: string): Promise<Person | WaiverApp | undefined> {
    if (timingSafeEqual(digest(token), adminDigest)) return admin;
    if (token.startsWith('wsc_')) {
      const credential = await store.credentials.verify(token);
      return credential && personOf(credential);
    }
    const setup = await store.accessTokens.verify(token);
    return setup && { kind: 'pool', pool: setup.pool, setup };
  }

  async function ofToken(request: FastifyRequest, token: string | undefined): Promise<Person | WaiverApp> {
    const caller = token === undefined ? undefined : await find(token);
    if (caller !== undefined) return caller;
    recordFailure(request, token);
    throw unauthorized();
  }

  function recordFailure(request: FastifyRequest, secret: string | undefined): void {
    if (secret !== undefined && !isScope(request.routeOptions.config.access)) audit.recordRefusal(request);
    throttle.record({ caller: countedAddress(request.ip), key: secret });
  }

  async function ofSession(session: string): Promise<Person | undefined> {
    const { secret, isSealed } = adminSeal.open(session);
    const found = await store.personSessions.find(secret);
    if (found === undefined) return undefined;
    const { owner } = found;
    if (owner === null) return isSealed ? admin : undefined;
    if ('subject' in owner && owner.rules !== signInRules) return undefined;
    return personOf(owner);
  }

  return {
    ofToken,
    ofSession,
    recordFailure,
    async ofRequest(request) {
      const session = sessionOf(request, baseUrl());
      if (session === undefined) return ofToken(request, bearerToken(request));
      return (await ofSession(session)) ?? ofToken(request, session);
    },
  };
}
