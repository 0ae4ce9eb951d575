import { consoleHeader } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Me } from '../api/resources.ts';
import { compareClocks } from '../api/service-time.ts';

const sessionUrl = '/console/api/session';
const signInUrl = '/console/api/sign-in';

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...consoleHeader, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Who is signed in; null if signed out. Rejects with an `ApiProblem`. */
export async function readMe(): Promise<Me | null> {
  const response = await fetch('/v1/admin/me', { headers: consoleHeader });
  compareClocks(response);
  if (response.status === 401) return null;
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** The hostname of the OpenID Connect issuer; undefined if none is configured. Rejects with an `ApiProblem`. */
export async function readIssuerName(): Promise<string | undefined> {
  const response = await call('GET', signInUrl);
  const { issuer }: { issuer: { name: string } | null } = await response.json();
  return issuer?.name;
}

/** Redirects to the issuer, which returns to the current page. Rejects with an `ApiProblem`. */
export async function signInByIssuer(): Promise<void> {
  const response = await call('POST', signInUrl, { landing: `${location.pathname}${location.search}` });
  const { url }: { url: string } = await response.json();
  location.assign(url);
}

/** Signs in with a token, which is sent once and not stored. Rejects with an `ApiProblem`. */
export async function signIn(token: string): Promise<Me | null> {
  await call('POST', sessionUrl, { token });
  return readMe();
}

/** The person whom a sign-in link signs in. */
type LinkOwner = Pick<Me, 'name' | 'role'>;

/**
 * The code of a sign-in link, from the URL's fragment: the browser does not send it with the page request, so that it
 * appears in no log.
 */
export const codeInAddress = (): string | undefined => /^#code=([\w.-]+)$/.exec(location.hash)?.[1];

/** Removes the code from the URL and the history. */
export function hideCode(): void {
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** The person whom a link would sign in, without using it up. Rejects with an `ApiProblem`. */
export async function readLink(code: string): Promise<LinkOwner> {
  const response = await call('POST', '/console/api/sign-in-link', { code });
  return response.json();
}

/** Signs in with a link's code, which works once. Rejects with an `ApiProblem`. */
export async function signInByCode(code: string): Promise<Me | null> {
  await call('POST', sessionUrl, { code });
  return readMe();
}

export async function signOut(): Promise<void> {
  await call('DELETE', sessionUrl);
}
