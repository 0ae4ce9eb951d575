import { expect } from 'vitest';
import { type RawAnswer, rawCall } from './raw-call.ts';

/** Where a vendor, an issuer or a mail sends a person's browser, which gets a page. */
const answersPages = /\/integration\/authorize\/|\/console\/sign-in\/callback|\/unsubscribe\//;

/** Checks that a response is documented, is no 500, and is a problem of ours if it refuses. */
export function expectDocumented(sent: string, { status, head, body }: RawAnswer): void {
  const shown = `${sent.slice(0, 160)} -> ${head.slice(0, 200)} ${body.slice(0, 200)}`;
  expect(status, shown).toBeDefined();
  if (status === undefined || status < 400) return;
  expect(status, shown).toBeLessThan(500);
  if (answersPages.test(sent) && /content-type: text\/html/i.test(head)) return;
  expect(head, shown).toMatch(/content-type: application\/json/i);
  if (sent.startsWith('HEAD ')) return;
  expect(JSON.parse(body), shown).toMatchObject({
    success: false,
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/./),
  });
}

/** A request's start and headers, its body, and whether it breaks off there. */
export type RawRequest = readonly [start: string, body: string, isBrokenOff?: boolean];

/** Makes these requests, a few at a time, and checks that each response is a documented one. */
export async function sendRaw(url: string, requests: readonly RawRequest[]): Promise<void> {
  const left = [...requests];
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [start, body, isBrokenOff = false] = next;
      const bytes = Buffer.from(start + body, 'latin1');
      const answer = await rawCall(url, bytes, { halfClose: isBrokenOff }).catch((error: unknown) => {
        throw new Error(`of ${start.slice(0, 300)}`, { cause: error });
      });
      // Who breaks off may be left without an answer.
      if (!isBrokenOff || answer.status !== undefined) expectDocumented(start, answer);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
