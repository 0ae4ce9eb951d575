import { consoleHeader } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Me } from '../api/resources.ts';

const sessionUrl = '/console/api/session';

async function call(method: 'POST' | 'DELETE', body?: object): Promise<Response> {
  const response = await fetch(sessionUrl, {
    method,
    headers: { ...consoleHeader, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Who is signed in; null if nobody is. Rejects with an `ApiProblem`. */
export async function readMe(): Promise<Me | null> {
  const response = await fetch('/v1/admin/me', { headers: consoleHeader });
  if (response.status === 401) return null;
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** Signs in by a token, which goes to the host once and is not kept. Rejects with an `ApiProblem`. */
export async function signIn(token: string): Promise<Me | null> {
  await call('POST', { token });
  return readMe();
}

/**
 * Signs in by the code of a sign-in link, where the address has one behind its `#`: it is not sent to the host with the
 * page, stands in no log, and leaves the history at once. @returns `undefined` where there is none
 */
export async function signInByCode(): Promise<Me | null | undefined> {
  const code = /^#code=([\w.-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  await call('POST', { code });
  return readMe();
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await call('DELETE');
}
