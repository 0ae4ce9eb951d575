import { openRawConnection, type TestHost } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startOperationsHost } from '../setup/operations-host.ts';

describe('of one address', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startOperationsHost({ settings: { trustProxy: 1 } });
    await host.preparePool('p');
  });
  afterAll(() => host?.close());

  const get = (path: string, address: string, token: string | null = null) =>
    host.call('GET', path, undefined, { token, headers: { 'x-forwarded-for': address } });

  /** Sends requests to paths in turn until one is refused. @returns how many were answered */
  async function flood(paths: readonly string[], address: string): Promise<number> {
    for (let sent = 0; sent < 3_000; sent += 30) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, place) => get(paths[(sent + place) % paths.length] ?? '/', address)),
      );
      const refused = answers.filter(({ status }) => status === 429).length;
      if (refused > 0) return sent + 30 - refused;
    }
    throw new Error('none was refused');
  }

  test('one address has 1,200 requests without a token a minute; probes, valid tokens and other addresses go on', async () => {
    const flooder = '2001:db8:1:2::1';
    const paths = [
      '/openapi.json',
      '/metrics',
      '/docs',
      '/',
      '/nowhere',
      '/console/api/sign-in',
      '/docs/json',
    ];
    const beganAt = performance.now();
    const answered = await flood(paths, flooder);
    // A machine with much else to do takes longer than a minute for them.
    const minutes = Math.ceil((performance.now() - beganAt) / 60_000);
    expect(answered).toBeGreaterThanOrEqual(1_200);
    expect(answered).toBeLessThanOrEqual(1_200 * minutes);
    for (const path of paths) {
      const { status, headers, body } = await get(path, '2001:db8:1:2::2');
      expect([path, status]).toEqual([path, 429]);
      expect(body).toMatchObject({ success: false, code: 'too_many_requests' });
      expect(Number(headers.get('retry-after'))).toSatisfy((seconds) => seconds >= 1 && seconds <= 60);
    }
    for (const probe of ['/healthz', '/readyz']) expect((await get(probe, flooder)).status).toBe(200);
    expect((await get('/v1/admin/pools/p', flooder, 'admin-token-of-the-tests')).status).toBe(200);
    expect((await get('/openapi.json', '2001:db8:1:3::1')).status).toBe(200);
    const said = host.lines.filter((line) => line.includes('set TRUST_PROXY'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(flooder.slice(0, 12));
    expect(host.lines.filter((line) => line.includes('"status":429'))).toEqual([]);
    const metrics = async () => (await get('/metrics', '192.0.2.1')).text;
    await expect
      .poll(metrics)
      .toMatch(/http_request_duration_seconds_count\{method="GET",route="\/docs",status="429"\} \d/);
  });
});

test.each([
  ['/readyz', 'migration'],
  ['/metrics', 'pending'],
])(
  'a flood of %s does not take the connections of the API, even where the database lets each wait',
  async (path, table) => {
    const host = await startOperationsHost();
    const lock = await openRawConnection(host.databaseUrl);
    onTestFinished(async () => {
      lock?.end();
      await host.close();
    });
    await host.preparePool('p');
    await lock?.run('begin');
    await lock?.run(`lock table ${table} in access exclusive mode`);
    const askAgain = () => Promise.all(Array.from({ length: 60 }, () => host.call('GET', path)));
    await askAgain();
    // The database has not yet answered the query of the first flood.
    await askAgain();
    for (let call = 0; call < 20; call += 1) {
      expect((await host.call('GET', '/v1/admin/pools/p')).status).toBe(200);
    }
  },
);
