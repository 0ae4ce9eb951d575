import { expect, onTestFinished, test } from 'vitest';
import { callInTurn, createFleet } from '../harness/fleet.ts';
import { report } from '../harness/form.ts';
import { keepSigning, messagesOutOfOrder } from '../harness/keep-signing.ts';
import { expectOnlyUnavailable, lostWrites, untilRecorded } from '../harness/recorded-writes.ts';
import { startReplicatedPostgres } from '../harness/replicated-postgres.ts';
import { until } from '../harness/test-host.ts';
import { startTimedReceiver } from '../harness/timed-receiver.ts';

// As far apart as two zones of a region, and their network is slow: unreplicated commits are lost.
const linkDelayMs = 20;

test('the primary vanished under load and its synchronous standby promoted: nothing lost, nothing out of order, hosts recover by themselves', async () => {
  const server = await startReplicatedPostgres(linkDelayMs);
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
  const token = await host.makePool('p');
  await host.connect('standard', { url: `${receiver.url}/system` }, 'p');
  const url = `${receiver.url}/webhook`;
  await host.done('POST', '/v1/admin/pools/p/webhooks', { url, auth: { type: 'none' } });
  const load = keepSigning(callInTurn(fleet, token));
  const untilSending = async () => {
    const before = receiver.messages.length;
    await until(() => receiver.messages.length > before + 40, 'messages to arrive', 60_000);
  };

  await untilSending();
  const killedAt = performance.now();
  await server.killPrimary();
  await server.promote();
  server.moveAddress();
  const next = await until(
    () => load.accepted.find(({ at, durationMs }) => at - durationMs > killedAt),
    'a write to be accepted',
    60_000,
  );
  for (const each of fleet.hosts) {
    const isReady = async () => (await each.call('GET', '/readyz')).status === 200;
    await until(isReady, 'the host to be ready by itself', 60_000);
  }
  await untilSending();
  await untilRecorded({ host, receiver }, await load.end());

  const lost = await lostWrites({ host, token, load });
  const outOfOrder = messagesOutOfOrder(receiver.messages);
  report({
    'writes accepted': load.accepted.length,
    messages: receiver.messages.length,
    lost: lost.length,
    'out of order': outOfOrder.length,
    'answers 503': load.refusals.length,
    'no write accepted for': `${((next.at - killedAt) / 1_000).toFixed(1)} s`,
  });
  expect(lost).toEqual([]);
  expect(outOfOrder).toEqual([]);
  expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
  expectOnlyUnavailable(load);
  for (const state of ['dead', 'held', 'cancelled']) {
    expect(await fleet.all(`/v1/admin/deliveries?state=${state}&`)).toEqual([]);
  }
  for (const each of fleet.hosts) expect(await each.stop()).toBe(0);
  await receiver.close();
}, 180_000);
