import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminToken, startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({ BASE_URL: 'https://waivers.example' });
});
afterAll(() => host.close());

const url = '/console/api/session';
const signIn = (body: unknown) => host.call('POST', url, body, { token: null });
const cookieOf = ({ headers }: { readonly headers: Headers }) =>
  headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function sessionCookie(token = adminToken): Promise<string> {
  const answer = await signIn({ token });
  expect(answer.status).toBe(204);
  return cookieOf(answer);
}

describe('refused', () => {
  test('too many wrong tokens from one address, but never a right one', async () => {
    const statuses = new Set<number>();
    // Many at once: an address may try again ten times a second.
    while (!statuses.has(429)) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => signIn({ token: 'the-same' })));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([401, 429]);
    await sessionCookie();
  });
});
