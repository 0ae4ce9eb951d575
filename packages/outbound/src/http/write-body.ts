import type { AxiosHeaders } from 'axios';

/** The body of a request as it goes out: a text as it stands, everything else as JSON, nothing for nothing. */
export function writeBody(body: unknown, headers: AxiosHeaders): string | Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  headers.setContentType('application/json', false);
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}
