import { afterEach, describe, expect, test } from 'vitest';
import { type SimulatedWebhookReceiver, startWebhookReceiver } from '../src/index.ts';

let receiver: SimulatedWebhookReceiver;
afterEach(() => receiver.close());

const post = (headers: Record<string, string> = {}) =>
  fetch(receiver.url, { method: 'POST', headers, body: '{"guest":{"id":"g – 1"}}' });

describe('webhook receiver', () => {
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
});
