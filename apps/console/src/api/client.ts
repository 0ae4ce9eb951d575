import createClient, { type Middleware } from 'openapi-fetch';
import { ApiProblem, problemOf } from './problem.ts';
import type { paths } from './schema.d.ts';

/** Called when the session has ended. */
type SignedOutListener = () => void;
let onSignedOut: SignedOutListener = () => {};

/** Called when a call is refused because the session has ended. */
export function onSessionEnd(listener: SignedOutListener): void {
  onSignedOut = listener;
}

/** The host no longer knows who is signed in. */
export const endSession = (): void => onSignedOut();

// Links and forms cannot set headers; another origin's script needs a preflight, which is refused.
export const consoleHeader = { 'X-Waiver-Console': '1' } as const;

const problems: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return undefined;
    const problem = await problemOf(response);
    if (problem.status === 401) onSignedOut();
    throw problem;
  },
  onError({ error }) {
    return new ApiProblem({ status: 0, code: 'unreachable', message: String(error) });
  },
};

/**
 * The host's HTTP API, typed by its OpenAPI document. A refused call rejects with an {@link ApiProblem}; so `data` of a
 * call that resolves is there.
 */
export const api = createClient<paths>({ baseUrl: '/', headers: consoleHeader, credentials: 'same-origin' });
api.use(problems);
