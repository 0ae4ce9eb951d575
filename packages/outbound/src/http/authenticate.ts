import type { RequestAuthentication, Session, SignableRequest } from '@waiver-service/core';
import type { UnsentRequest } from '../call.ts';
import type { UseSecrets } from '../redaction/secrets.ts';
import { extendHeaders, headersByName } from './prepared-headers.ts';
import { percentEncode } from './request-url.ts';

/** Computes what authenticates one request; it gets a session if the target has `sessions`. */
export type Authenticate = (
  request: SignableRequest,
  session: Session | undefined,
) => RequestAuthentication | Promise<RequestAuthentication>;

const noBytes = Buffer.alloc(0);

function bytesOf(body: string | Buffer | undefined): Buffer {
  if (body === undefined) return noBytes;
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Appends parameters to a URL's query, without respelling the existing ones. */
function withQuery(url: URL, parameters: Readonly<Record<string, string>>): URL {
  const added = Object.entries(parameters).map(
    ([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`,
  );
  if (added.length === 0) return url;
  const extended = new URL(url);
  extended.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...added].join('&');
  return extended;
}

/** The input of {@link authenticated} besides the request. */
export interface Authentication {
  readonly authenticate: Authenticate;
  readonly session: Session | undefined;
  readonly now: Date;
  readonly secrets: UseSecrets;
}

/** Adds a request's authentication. A signature may cover all of it, so nothing may change it afterwards. */
export async function authenticated(
  request: UnsentRequest,
  { authenticate, session, now, secrets }: Authentication,
): Promise<UnsentRequest> {
  const { method, url, headers } = request;
  const body = bytesOf(request.body);
  const signable = { method, url: new URL(url), headers: headersByName(headers), body, now };
  const { headers: addedHeaders = {}, query = {} } = await authenticate(signable, session);
  secrets.add(addedHeaders, query);
  return {
    method,
    url: withQuery(url, query),
    headers: extendHeaders(headers, addedHeaders),
    body: request.body === undefined ? undefined : body,
  };
}
