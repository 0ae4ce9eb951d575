import type { SignableRequest } from '@waiver-service/core';
import type { ReceivedRequest } from './received-request.ts';

/** A received request as {@link SignableRequest}, to verify its authentication. `origin` is the server's. */
export function signableRequest(request: ReceivedRequest, origin: string): SignableRequest {
  const { method, path, headers, body, at: now } = request;
  const values = Object.entries(headers).map(([name, value = '']) => [name, String(value)]);
  return { method, url: new URL(`${origin}${path}`), headers: Object.fromEntries(values), body, now };
}
