import { afterEach, describe, expect, test } from 'vitest';
import { type SimulatedWebhookReceiver, startWebhookReceiver } from '../src/index.ts';

let receiver: SimulatedWebhookReceiver;
afterEach(() => receiver.close());

const post = (headers: Record<string, string> = {}) =>
  fetch(receiver.url, { method: 'POST', headers, body: '{"guest":{"id":"g – 1"}}' });

describe('webhook receiver', () => {
  test('records requests', async () => {
    receiver = await startWebhookReceiver();
    const waiting = receiver.untilReceived('webhook', (all) =>
      all.some(({ headers }) => headers['x-n'] === '2'),
    );
    await post({ 'x-n': '1' });
    await post({ 'x-n': '2' });
    const requests = await waiting;
    expect(requests).toHaveLength(2);
    expect(requests[0]?.body.toString()).toBe('{"guest":{"id":"g – 1"}}');
    expect(requests[1]?.at.getTime()).toBeGreaterThanOrEqual(requests[0]?.at.getTime() ?? Infinity);
    expect((await fetch(receiver.url)).status).toBe(405);
  });

  test('requires a custom header', async () => {
    receiver = await startWebhookReceiver({ auth: { type: 'header', name: 'X-Own', value: 'secret' } });
    expect((await post()).status).toBe(401);
    expect((await post({ 'x-own': 'wrong' })).status).toBe(401);
    expect((await post({ 'x-own': 'secret' })).status).toBe(200);
  });

  test('requires Basic authentication', async () => {
    receiver = await startWebhookReceiver({ auth: { type: 'basic', username: 'ü', password: 'a:b' } });
    expect((await post({ authorization: 'Basic xx' })).status).toBe(401);
    const credentials = Buffer.from('ü:a:b').toString('base64');
    expect((await post({ authorization: `Basic ${credentials}` })).status).toBe(200);
  });

  test('plays faults, and can restart on the same port', async () => {
    receiver = await startWebhookReceiver();
    receiver.faults.next('webhook', { kind: 'status', status: 410 });
    expect((await post()).status).toBe(410);
    const { url } = receiver;
    await receiver.close();
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow();
    receiver = await startWebhookReceiver({ port: Number(new URL(url).port) });
    expect(receiver.url).toBe(url);
    expect((await post()).status).toBe(200);
  });
});
