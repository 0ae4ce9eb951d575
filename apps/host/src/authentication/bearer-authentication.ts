import { hash, timingSafeEqual } from 'node:crypto';
import type { Store } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import type { HostApp } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { countedAddress, createFailureThrottle } from './failure-throttle.ts';
import type { Caller, RouteAccess } from './route-access.ts';

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

function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +([^\s]{1,1024})$/i.exec(request.headers.authorization ?? '')?.[1];
}

function poolOfPath({ params }: FastifyRequest): unknown {
  return typeof params === 'object' && params !== null && 'pool' in params ? params.pool : undefined;
}

// An access token opens its own pool and nothing else.
function checkAccess(caller: Caller, access: RouteAccess, request: FastifyRequest): void {
  if (caller.kind === 'admin') return;
  if (access === 'pool' && poolOfPath(request) === caller.pool) return;
  throw new HttpProblem(
    403,
    'forbidden',
    access === 'admin' ? 'Only the admin token may do this.' : 'This access token belongs to another pool.',
  );
}

/** Decides who calls, before the body is read. */
export function authenticateCallers(
  app: HostApp,
  { accessTokens, adminToken }: { accessTokens: Pick<Store['accessTokens'], 'verify'>; adminToken: string },
): void {
  const adminDigest = digest(adminToken);
  const throttle = createFailureThrottle(wrongTokensPerMinute);

  const identify = async (request: FastifyRequest): Promise<Caller> => {
    const token = bearerToken(request);
    if (token !== undefined) {
      if (timingSafeEqual(digest(token), adminDigest)) return { kind: 'admin' };
      const setup = await accessTokens.verify(token);
      if (setup !== undefined) return { kind: 'pool', pool: setup.pool, setup };
    }
    throttle.record({ caller: countedAddress(request.ip), key: token });
    throw unauthorized();
  };

  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config;
    if (access !== 'admin' && access !== 'pool') return;
    const caller = await identify(request);
    checkAccess(caller, access, request);
    request.caller = caller;
  });
}
