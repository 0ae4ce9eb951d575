import { cookieName, cookieOptions, visitCookieOptions } from '@waiver-service/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { maxSessionMs } from '../data/person-sessions.ts';

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
