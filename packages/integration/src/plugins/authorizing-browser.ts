import { cookieName, visitCookieOptions } from '@waiver-service/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
