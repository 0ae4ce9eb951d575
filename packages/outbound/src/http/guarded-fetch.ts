import type { Call } from '../call.ts';
import { createSecretRedactor } from '../redaction/secrets.ts';
import type { AnswerHeaders } from '../transport/transport.ts';
import { prepareHeaders } from './prepared-headers.ts';

/** A request of a {@link GuardedFetch}. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * `fetch`, for libraries that accept a custom one. Subject to the limits of every outbound call; a redirect is not
 * followed, but rejects, as a forbidden address does.
 */
export type GuardedFetch = (url: string, request: FetchRequest) => Promise<Response>;

const statusesWithoutBody = new Set([204, 205]);

function headersOf(answer: AnswerHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

export const createGuardedFetch =
  (call: Call): GuardedFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await call({
      method,
      url: URL.parse(url),
      headers: prepareHeaders(headers),
      body,
      signal,
      redactor: createSecretRedactor(headers),
    });
    return new Response(statusesWithoutBody.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: headersOf(answer.headers),
    });
  };
