import { maxSessionMs } from '@waiver-service/store';
import type { FastifyReply, FastifyRequest } from 'fastify';

const sessionName = 'waiver_service_session';
const visitName = 'waiver_service_sign_in';
const authorizationName = 'waiver_service_authorization';

/** The header that the console sends. Neither a link, nor a form, nor a page of another origin can add it. */
const consoleHeader = 'x-waiver-console';

const isEncrypted = (baseUrl: string) => baseUrl.startsWith('https:');

// Browsers accept a cookie with this prefix only over an encrypted connection, and from no other host of the domain.
const nameFor = (baseUrl: string, name: string) => (isEncrypted(baseUrl) ? `__Host-${name}` : name);

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
  return cookies[nameFor(baseUrl, sessionName)];
}

const optionsFor = (baseUrl: string) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: isEncrypted(baseUrl) }) as const;

export function setSession(reply: FastifyReply, baseUrl: string, session: string): void {
  reply.setCookie(nameFor(baseUrl, sessionName), session, {
    ...optionsFor(baseUrl),
    maxAge: maxSessionMs / 1_000,
  });
}

export function clearSession(reply: FastifyReply, baseUrl: string): void {
  reply.clearCookie(nameFor(baseUrl, sessionName), optionsFor(baseUrl));
}

// The browser must send it when the issuer, which is another site, redirects back; `Strict` would prevent that.
const visitOptionsFor = (baseUrl: string) => ({ ...optionsFor(baseUrl), sameSite: 'lax' }) as const;

export const visitOf = ({ cookies }: FastifyRequest, baseUrl: string): string | undefined =>
  cookies[nameFor(baseUrl, visitName)];

export function setVisit(reply: FastifyReply, baseUrl: string, visit: string, validMs: number): void {
  reply.setCookie(nameFor(baseUrl, visitName), visit, {
    ...visitOptionsFor(baseUrl),
    maxAge: validMs / 1_000,
  });
}

export function clearVisit(reply: FastifyReply, baseUrl: string): void {
  reply.clearCookie(nameFor(baseUrl, visitName), visitOptionsFor(baseUrl));
}

/** The secret of a browser that has begun to authorize installations at booking systems. */
export function authorizingBrowserOf({ cookies }: FastifyRequest, baseUrl: string): string | undefined {
  const browser = cookies[nameFor(baseUrl, authorizationName)];
  return browser !== undefined && /^[\w-]{43}$/.test(browser) ? browser : undefined;
}

/** Like the sign-in's cookie, it must be sent when another site redirects the browser back. */
export function setAuthorizingBrowser(
  reply: FastifyReply,
  baseUrl: string,
  browser: string,
  validMs: number,
): void {
  reply.setCookie(nameFor(baseUrl, authorizationName), browser, {
    ...visitOptionsFor(baseUrl),
    // Whole seconds only.
    maxAge: Math.ceil(validMs / 1_000),
  });
}
