import { Agent, request } from 'undici';
import { adminToken } from './secrets.ts';

/** A client of one host, with persistent connections. */
export interface HostClient {
  /** @returns the text of the answer; throws unless the status is below 300 */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    call?: { readonly body?: object; readonly token?: string | undefined },
  ): Promise<string>;
  close(): Promise<void>;
}

const maxIdleMs = 4_000;

/** Opens a client. Calls carry the admin token unless they name another one. */
export function openHostClient(hostUrl: string): HostClient {
  // Connections idle while the other side of the row runs: do not reuse one that the server may be closing.
  const dispatcher = new Agent({ keepAliveMaxTimeout: maxIdleMs });
  return {
    async call(method, path, { body, token = adminToken } = {}) {
      const answer = await request(`${hostUrl}${path}`, {
        dispatcher,
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
      return text;
    },
    close: () => dispatcher.close(),
  };
}
