import type { AxiosHeaders } from 'axios';

/** The body of a request as it goes out: a text as it stands, everything else as JSON, nothing for nothing. */
export function bodyText(body: unknown): string | Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** The same as axios's transformation of a request, which says what the body is where the request does not. */
export function writeBody(body: unknown, headers: AxiosHeaders): string | Buffer | undefined {
  const text = bodyText(body);
  if (text !== undefined) headers.setContentType('application/json', false);
  return text;
}
