import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/database/testing';
import { type Answer, call, until } from '@waiver-service/testing';
import { expect } from 'vitest';
import { keepSigning, messagesOutOfOrder, missingMessages } from './keep-signing.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { type Program, startProgram } from './program.ts';
import { startTimedReceiver } from './timed-receiver.ts';

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
  const token = await first.makePool('p');
  await first.connect('standard', { url: `${receiver.url}/system` }, 'p');
  const webhook = { url: `${receiver.url}/webhook`, auth: { type: 'none' } };
  await first.done('POST', '/v1/admin/pools/p/webhooks', webhook);
  for (let count = 1; count < hostCount; count += 1) await join(build);
  const signing = keepSigning((method, path, body) =>
    call(`${balancer.url}${path}`, body, { method, token }),
  );
  const reader = await first.done('POST', '/v1/admin/credentials', { name: 'Reader', role: 'owner' });
  const reading = keepReading(balancer.url, reader.token);
  const untilSending = async () => {
    const before = receiver.messages.length;
    await until(() => receiver.messages.length > before + 20, 'messages to arrive', 60_000);
  };

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
    /** Ends the load, and waits until everything has arrived; returns the counts. */
    async end() {
      const { reads, failures } = await reading.end();
      const last = await signing.end();
      const missing = () => missingMessages(last, ['system', 'webhook'], receiver.messages);
      const [host] = hosts;
      if (host === undefined) throw new Error('no host is left');
      await until(() => missing().length === 0, 'the last version of every waiver to arrive', 60_000);
      const isIdle = async () => {
        const { items } = await host.done('GET', '/v1/admin/destinations');
        return items.every((item: { waiting: number }) => item.waiting === 0);
      };
      await until(isIdle, 'everything to be recorded', 60_000);
      const unended: unknown[] = [];
      for (const state of ['dead', 'held', 'cancelled']) {
        unended.push(...(await host.done('GET', `/v1/admin/deliveries?state=${state}`)).items);
      }
      while (hosts[0] !== undefined) await leave(hosts[0]);
      await balancer.close();
      await receiver.close();
      await database.drop();
      return {
        writes: signing.accepted.length,
        reads,
        messages: receiver.messages.length,
        failed: [
          ...failures,
          ...signing.refusals.map(failureOf),
          ...Array.from({ length: signing.broken() }, () => ({
            request: 'a write',
            status: 'broken',
            text: '',
          })),
        ],
        missing: missing(),
        outOfOrder: messagesOutOfOrder(receiver.messages),
        atOnce: receiver.messages.filter(({ alongside }) => alongside > 0),
        unended,
      };
    },
  };
}

export type RollingHosts = Awaited<ReturnType<typeof startRollingHosts>>;
