import fastifyCookie from '@fastify/cookie';
import type { HostApp } from '../app/host-app.ts';

/** Reads the cookies of requests. Await it before adding a hook that uses them. */
export const readCookies = async (app: HostApp): Promise<void> => void (await app.register(fastifyCookie));

const isEncrypted = (baseUrl: string) => baseUrl.startsWith('https:');

/**
 * The name of a cookie. Browsers accept one with the prefix only over an encrypted connection, and from no other host of
 * the domain.
 */
export const cookieName = (baseUrl: string, name: string): string =>
  isEncrypted(baseUrl) ? `__Host-${name}` : name;

interface CookieOptions<SameSite> {
  readonly path: '/';
  readonly httpOnly: true;
  readonly sameSite: SameSite;
  readonly secure: boolean;
}

/** The options of a cookie that only this service's own pages make a browser send. */
export const cookieOptions = (baseUrl: string): CookieOptions<'strict'> => ({
  path: '/',
  httpOnly: true,
  sameSite: 'strict',
  secure: isEncrypted(baseUrl),
});

/** The options of one that the browser must also send when another site redirects back; `strict` would prevent that. */
export const visitCookieOptions = (baseUrl: string): CookieOptions<'lax'> => ({
  ...cookieOptions(baseUrl),
  sameSite: 'lax',
});
