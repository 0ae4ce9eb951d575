import { expect, test } from 'vitest';
import { RequestWindows } from '../src/http/request-windows.ts';
import { startBookingSystem } from '../src/index.ts';

test('accepts what every window has room for, wherever the window begins, and says when it will again', () => {
  const windows = new RequestWindows([
    { requests: 2, windowMs: 1_000 },
    { requests: 3, windowMs: 10_000 },
  ]);
  const waits = [0, 900, 950, 1_000, 1_100, 10_000, 10_900].map((now) => windows.take(now));
  expect(waits).toEqual([0, 0, 50, 0, 8_900, 0, 0]);
});

test('a server that limits requests counts those that it refuses, and says when to come again', async () => {
  const server = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey: 'k',
    pathShape: 'path',
    form: 'current',
  });
  try {
    const ask = () => fetch(`${server.url}/bookings/BK-1001?pool=p`, { headers: { 'api-key': 'k' } });
    const limited = server.limitRequests([{ requests: 1, windowMs: 60_000 }]);
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(limited.refused).toBe(1);
    const forbidden = (seconds: number) => ({ status: 403, body: { seconds } });
    server.limitRequests([{ requests: 1, windowMs: 60_000 }], forbidden);
    await ask();
    expect((await ask()).status).toBe(403);
    server.limitRequests([]);
    expect((await ask()).status).toBe(200);
  } finally {
    await server.close();
  }
});
