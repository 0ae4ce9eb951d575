import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/database/testing';
import { type Answer, call, report, until } from '@waiver-service/testing';
import { expect } from 'vitest';
import { keepSigning, messagesOutOfOrder } from './keep-signing.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { type Program, startProgram } from './program.ts';
import { undelivered, untilRecorded } from './recorded-writes.ts';
import { makeSendingPool, startTimedReceiver } from './timed-receiver.ts';

/** Routes that are read all the time beside the signing: every table that hosts of two versions share is behind one of these. */
const readPaths = [
  '/v1/pools/p/waivers?limit=20',
  '/v1/pools/p/changes?limit=20',
  '/v1/pools/p/bookings/B-1',
  '/v1/admin/pools/p',
  '/v1/admin/pools/p/installations',
  '/v1/admin/pools/p/webhooks',
  '/v1/admin/pools/p/access-tokens',
  '/v1/admin/deliveries?limit=20',
  '/v1/admin/destinations',
  '/v1/admin/overview',
  '/v1/admin/audit?limit=20',
  '/v1/admin/credentials',
  '/v1/admin/me',
];

interface Failure {
  readonly request: string;
  readonly status: number | 'broken';
  readonly text: string;
}

/** Reads each path in turn until it is told to end; returns the requests that did not succeed. */
function keepReading(url: string, token: string) {
  const failures: Failure[] = [];
  let count = 0;
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const path = readPaths[count % readPaths.length] ?? '';
      const answer = await call(`${url}${path}`, undefined, { method: 'GET', token }).catch(() => undefined);
      count += 1;
      if (answer === undefined || answer.status >= 300) {
        failures.push({
          request: `GET ${path}`,
          status: answer?.status ?? 'broken',
          text: answer?.text ?? '',
        });
      }
      await delay(20);
    }
  })();
  return {
    async end(): Promise<{ reads: number; failures: readonly Failure[] }> {
      isOver = true;
      await reading;
      return { reads: count, failures };
    },
  };
}

const failureOf = ({ status, text }: Answer): Failure => ({ request: 'a write', status, text });

/**
 * Hosts behind a load balancer, under load, that are replaced one after the other.
 *
 * @param build - the `main.js` of the first hosts, which make the database's schema; this checkout's by default
 * @param variables - of the hosts, besides those that they need here
 */
export async function startRollingHosts(
  hostCount: number,
  build?: string,
  variables: Readonly<Record<string, string>> = {},
) {
  let settings = variables;
  const database = await createTestDatabase({ empty: true });
  const receiver = await startTimedReceiver(() => 'taken');
  const balancer = await startLoadBalancer();
  const hosts: Program[] = [];
  const join = async (program?: string) => {
    const host = await startProgram(
      {
        DATABASE_URL: database.url,
        // The load balancer asks ten times a second.
        DRAIN_TIME: '1s',
        // After an attempt lost to our fault, the backoff would outlast the test.
        RETRY_SCHEDULE: ['0s', ...Array(9).fill('1h')].join(','),
        BASE_URL: balancer.url,
        ...settings,
      },
      program,
    );
    hosts.push(host);
    balancer.add(host.url);
    await until(() => balancer.sendsTo(host.url), 'the host to be ready', 60_000);
    return host;
  };
  const leave = async (host: Program) => {
    hosts.splice(hosts.indexOf(host), 1);
    expect(await host.stop()).toBe(0);
    balancer.remove(host.url);
  };
  const first = await join(build);
  const token = await makeSendingPool(first, receiver);
  for (let count = 1; count < hostCount; count += 1) await join(build);
  const signing = keepSigning((method, path, body) =>
    call(`${balancer.url}${path}`, body, { method, token }),
  );
  const reader = await first.done('POST', '/v1/admin/credentials', { name: 'Reader', role: 'owner' });
  const reading = keepReading(balancer.url, reader.token);
  const untilSending = () => receiver.untilMore(20);

  return {
    hosts,
    join,
    leave,
    /** Gives the hosts that come from now on other settings. */
    set(changed: Readonly<Record<string, string>>): void {
      settings = { ...settings, ...changed };
    },
    /** Replaces every host by a new one, one after the other; the new one comes first. */
    async replaceAll(program?: string): Promise<void> {
      for (const former of [...hosts]) {
        await untilSending();
        await join(program);
        await untilSending();
        await leave(former);
      }
      await untilSending();
    },
    /**
     * Ends the load, and waits until everything has arrived; expects that no request failed, and nothing was lost or sent
     * out of order. Reports the counts, and those that are given.
     */
    async end(counts: Readonly<Record<string, number | string>>): Promise<void> {
      const { reads, failures } = await reading.end();
      const last = await signing.end();
      const [host] = hosts;
      if (host === undefined) throw new Error('no host is left');
      await untilRecorded({ host, receiver }, last);
      const unsent = await undelivered(host);
      while (hosts[0] !== undefined) await leave(hosts[0]);
      await balancer.close();
      await receiver.close();
      await database.drop();
      const failed = [...failures, ...signing.refusals.map(failureOf)];
      const outOfOrder = messagesOutOfOrder(receiver.messages);
      report({
        ...counts,
        writes: signing.accepted.length,
        reads,
        messages: receiver.messages.length,
        'failed requests': failed.length + signing.broken(),
        'out of order': outOfOrder.length,
      });
      expect(failed).toEqual([]);
      expect(signing.broken()).toBe(0);
      expect(outOfOrder).toEqual([]);
      expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
      expect(unsent).toEqual([]);
    },
  };
}

export type RollingHosts = Awaited<ReturnType<typeof startRollingHosts>>;
