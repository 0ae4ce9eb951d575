import { Agent, request } from 'undici';
import { z } from 'zod';

/** Calls hosts, and counts unexpected answers. */
export interface SoakClient {
  /** @returns the answer, and how long it took; `undefined` for an unexpected one, which is counted */
  call(options: Call): Promise<Answer | undefined>;
  /** The first failures; `failed` counts all. */
  readonly failures: readonly string[];
  readonly failed: number;
  close(): Promise<void>;
}

export interface Call {
  readonly method?: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  readonly url: string;
  readonly token: string;
  readonly body?: unknown;
  /** 200 by default. */
  readonly expected?: number;
}

export interface Answer {
  readonly body: z.infer<typeof bodySchema>;
  readonly tookMs: number;
}

const bodySchema = z.looseObject({
  id: z.string().optional(),
  token: z.string().optional(),
  updatedAt: z.string().optional(),
});

const maxShown = 20;
const maxShownCharacters = 300;

export function openSoakClient(): SoakClient {
  const dispatcher = new Agent();
  const failures: string[] = [];
  let failed = 0;

  function fail(call: Call, reason: string) {
    failed += 1;
    if (failures.length < maxShown)
      failures.push(`${call.method ?? 'GET'} ${call.url}: ${reason.slice(0, maxShownCharacters)}`);
    return undefined;
  }

  return {
    failures,
    get failed() {
      return failed;
    },
    async call(call) {
      const { method = 'GET', url, token, body, expected = 200 } = call;
      const startedAt = performance.now();
      try {
        const response = await request(url, {
          dispatcher,
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          body: body === undefined ? null : JSON.stringify(body),
        });
        const text = await response.body.text();
        const tookMs = performance.now() - startedAt;
        if (response.statusCode !== expected) return fail(call, `${response.statusCode} ${text}`);
        return { body: bodySchema.parse(text === '' ? {} : JSON.parse(text)), tookMs };
      } catch (error) {
        return fail(call, String(error));
      }
    },
    close: () => dispatcher.close(),
  };
}
