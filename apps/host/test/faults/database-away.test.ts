import { inForm, report, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { callInTurn, createFleet, type Fleet } from '../harness/fleet.ts';
import { keepSigning } from '../harness/keep-signing.ts';
import { type OwnPostgres, startOwnPostgres } from '../harness/own-postgres.ts';
import type { Program } from '../harness/program.ts';
import { expectOnlyUnavailable, untilRecorded } from '../harness/recorded-writes.ts';
import { makeSendingPool, startTimedReceiver } from '../harness/timed-receiver.ts';

const outages = inForm({ short: 1, long: 20 });

/** A host's responses while it has no database, to a new waiver and to other requests. */
async function answersOf(host: Program) {
  const waiver = { id: 'W-away', answers: { name: 'Ada' } };
  const [life, reading, signing] = await Promise.all([
    host.call('GET', '/healthz'),
    host.call('GET', '/v1/admin/deliveries'),
    host.call('POST', '/v1/pools/p/waivers', waiver),
  ]);
  return { life, reading, signing };
}

async function breakAndMend(server: OwnPostgres, fleet: Fleet, isCrash: boolean): Promise<void> {
  await (isCrash ? server.crash() : server.stop());
  for (const host of fleet.hosts) {
    const { life, reading, signing } = await answersOf(host);
    expect(life.status).toBe(200);
    // A result may be a quarter of a second old.
    const isNotReady = async () => {
      const { status, body } = await host.call('GET', '/readyz');
      return status === 503 && body.code === 'not_ready';
    };
    await until(isNotReady, 'the host not to be ready');
    for (const answer of [reading, signing]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.body).toEqual({
        success: false,
        code: 'database_unavailable',
        message: expect.stringContaining('send it again'),
      });
    }
  }
  await server.start();
  for (const host of fleet.hosts) {
    await until(
      async () => (await host.call('GET', '/readyz')).status === 200,
      'the host to be ready by itself',
    );
  }
}

test(
  `PostgreSQL stopped and crashed under load, ${outages} times: 503 meanwhile, nothing lost, no attempt used up`,
  async () => {
    const server = await startOwnPostgres();
    onTestFinished(() => server.remove());
    const receiver = await startTimedReceiver(() => 'taken');
    const fleet = createFleet({
      DATABASE_URL: server.url,
      // After an attempt lost to our fault, the backoff would outlast this test.
      RETRY_SCHEDULE: ['0s', ...Array(9).fill('1h')].join(','),
      LOG_LEVEL: 'fatal',
    });
    const host = await fleet.join();
    await fleet.join();
    const token = await makeSendingPool(host, receiver);
    const load = keepSigning(callInTurn(fleet, token));

    for (let outage = 0; outage < outages; outage += 1) {
      await receiver.untilMore();
      await breakAndMend(server, fleet, outage % 2 === 0);
    }
    await receiver.untilMore();
    const last = await load.end();
    await untilRecorded({ host, receiver }, last);
    report({
      outages,
      waivers: last.size,
      messages: receiver.messages.length,
      'answers 503 under load': load.refusals.length,
    });
    expect(load.refusals.length).toBeGreaterThan(0);
    expectOnlyUnavailable(load);
    const { items } = await host.done('GET', '/v1/admin/destinations');
    for (const each of items) expect(each).toMatchObject({ status: 'active', consecutiveFailures: 0 });
    expect(await fleet.all('/v1/admin/deliveries?state=dead&')).toEqual([]);
    for (const each of fleet.hosts) expect(await each.stop()).toBe(0);
    await receiver.close();
  },
  inForm({ short: 120_000, long: 1_800_000 }),
);
