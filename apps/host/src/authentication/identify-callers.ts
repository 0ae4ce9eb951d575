import { hash, timingSafeEqual } from 'node:crypto';
import type { SessionOwner, Store } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import type { Cells } from '../cells/cells.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { AdminSeal } from './admin-seal.ts';
import type { Person, WaiverApp } from './caller.ts';
import { countedAddress, createFailureThrottle } from './failure-throttle.ts';
import { inPath } from './pool-access.ts';
import { isScope } from './route-access.ts';
import { sessionOf } from './session-cookie.ts';

/** How many calls with one wrong token a minute are answered as such, for each address. Right ones are not limited. */
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

const bearerToken = ({ headers }: FastifyRequest) =>
  /^Bearer +([^\s]{1,1024})$/i.exec(headers.authorization ?? '')?.[1];

/** Finds out who calls. */
export interface CallerIdentification {
  /**
   * By the request's bearer token, or by the session of the console.
   * @throws LivesElsewhere if another cell may know the token
   * @throws HttpProblem 401 `unauthorized`, 429 `too_many_failures`
   */
  ofRequest(request: FastifyRequest): Promise<Person | WaiverApp>;
  /** Whose a session of the console is; undefined if it has ended. */
  ofSession(session: string): Promise<Person | undefined>;
  /** By a token that the request brought elsewhere. Throws as `ofRequest` does. */
  ofToken(request: FastifyRequest, token: string | undefined): Promise<Person | WaiverApp>;
}

export interface IdentificationParts {
  readonly store: {
    readonly accessTokens: Pick<Store['accessTokens'], 'verify'>;
    readonly credentials: Pick<Store['credentials'], 'verify'>;
    readonly personSessions: Pick<Store['personSessions'], 'find'>;
  };
  readonly adminToken: string;
  readonly adminSeal: AdminSeal;
  /** Those by which the issuer's people have their roles today; a session of others has ended. */
  readonly signInRules: string | undefined;
  readonly baseUrl: () => string;
  readonly cells: Pick<Cells, 'lookForKey' | 'requireOwnToken'>;
  /** Called with requests of people whose token is wrong. */
  readonly onRefused: (request: FastifyRequest) => void;
}

// The way in that no one can take away.
const admin: Person = {
  kind: 'person',
  name: 'admin',
  role: 'owner',
  pools: 'all',
  proof: 'admin-token',
  actor: 'admin-token',
};

type Owner = NonNullable<SessionOwner>;

/** The person whom a credential or an issuer stands for. */
function personOf(owner: Owner): Person {
  const { name, role, pools } = owner;
  const person = { kind: 'person', name, role, pools: pools ?? 'all' } as const;
  if ('subject' in owner) return { ...person, proof: 'issuer', actor: `oidc:${owner.subject}` };
  return { ...person, proof: { credential: owner.id }, actor: `credential:${owner.id}` };
}

/** Whom a session signs in: in the audit log, and in a list of sessions. */
export const personOfSession = (owner: SessionOwner): Person => (owner === null ? admin : personOf(owner));

/** Creates the {@link CallerIdentification} of this process. */
export function createCallerIdentification(parts: IdentificationParts): CallerIdentification {
  const { store, adminToken, adminSeal, signInRules, baseUrl, cells, onRefused } = parts;
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

  async function lookElsewhere(request: FastifyRequest, token: string): Promise<void> {
    const { access } = request.routeOptions.config;
    // The console of a cell has sessions of its own.
    if (access === 'public') cells.requireOwnToken(token);
    else await cells.lookForKey(request, token, isScope(access) ? inPath(request, 'pool') : undefined);
  }

  async function ofToken(request: FastifyRequest, token: string | undefined): Promise<Person | WaiverApp> {
    const caller = token === undefined ? undefined : await find(token);
    if (caller !== undefined) return caller;
    if (token !== undefined) await lookElsewhere(request, token);
    if (token !== undefined && !isScope(request.routeOptions.config.access)) onRefused(request);
    throttle.record({ caller: countedAddress(request.ip), key: token });
    throw unauthorized();
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
    async ofRequest(request) {
      const session = sessionOf(request, baseUrl());
      if (session === undefined) return ofToken(request, bearerToken(request));
      return (await ofSession(session)) ?? ofToken(request, session);
    },
  };
}
