import { maxSessionMs } from '@waiver-service/store';
import type { FastifyReply, FastifyRequest } from 'fastify';

const name = 'waiver_service_session';
// A browser takes a cookie with this prefix from an encrypted connection only, and from no other host of the domain.
const secureName = `__Host-${name}`;

/** The header that the console sends. Neither a link, nor a form, nor a page of another origin can add it. */
const consoleHeader = 'x-waiver-console';

const isEncrypted = (baseUrl: string) => baseUrl.startsWith('https:');

const nameFor = (baseUrl: string) => (isEncrypted(baseUrl) ? secureName : name);

/**
 * The session of a request that the console made; `undefined` for any other. A cookie alone opens nothing: browsers add
 * it to requests that other sites cause. Over https, only a cookie that no other host of the domain can set counts.
 */
export function sessionOf({ headers, cookies }: FastifyRequest, baseUrl: string): string | undefined {
  if (headers.authorization !== undefined || headers[consoleHeader] === undefined) return undefined;
  const { 'sec-fetch-site': site = 'same-origin' } = headers;
  if (site !== 'same-origin') return undefined;
  return cookies[nameFor(baseUrl)];
}

const optionsFor = (baseUrl: string) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: isEncrypted(baseUrl) }) as const;

/** Hands a session to the browser. */
export function setSession(reply: FastifyReply, baseUrl: string, session: string): void {
  reply.setCookie(nameFor(baseUrl), session, { ...optionsFor(baseUrl), maxAge: maxSessionMs / 1_000 });
}

/** Takes the session away from the browser. */
export function clearSession(reply: FastifyReply, baseUrl: string): void {
  reply.clearCookie(nameFor(baseUrl), optionsFor(baseUrl));
}
