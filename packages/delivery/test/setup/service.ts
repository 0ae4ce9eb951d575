import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BookingSystemUnavailable, type RequestLimits, WaiverRejected } from '@waiver-service/core';
import { createTestDatabase } from '@waiver-service/database/testing';
import { createOutbound } from '@waiver-service/outbound';
import { openStore, type Store, type WebhookEndpoint } from '@waiver-service/store';
import type { NewWaiver } from '@waiver-service/waivers';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createDispatcher,
  createWebhookSender,
  type Dispatcher,
  type DispatcherEvent,
  type DispatcherOptions,
  type Sender,
} from '../../src/index.ts';

/** A test of the long form. */
export const longTest = test.runIf(process.env.WAIVER_SERVICE_FAULTS === 'long');

/** Waits until a check passes, also on a busy machine. */
export const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });

const second = 1_000;
export const fastPolicy = {
  retrySchedule: [0, 20, 20, 20, 20, 20, 20, 20, 20, 20],
  pauseAfterMs: 3_600 * second,
  probeIntervalMs: 3_600 * second,
};

/**
 * A store with a pool `p1`, on its own database; `again` opens the same database as another host would. Calls time out
 * only where a test wants that: on a busy machine, any may be slow.
 */
export async function openService({ timeoutMs = 60_000 } = {}) {
  const database = await createTestDatabase();
  const encryptionKeys = [{ id: 'test', key: randomBytes(32) }];
  const stores: Store[] = [];
  const again = async (options: { soleHost?: boolean; databaseUrl?: string } = {}) => {
    const store = await openStore({ databaseUrl: database.url, encryptionKeys, ...options });
    stores.push(store);
    return store;
  };
  const store = await again();
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], timeoutMs });
  onTestFinished(async () => {
    await Promise.all(stores.map((each) => each.close()));
    await outbound.close();
    await database.drop();
  });
  await store.pools.put({ id: 'p1', name: 'Pool 1' });
  return { store, again, outbound, databaseUrl: database.url };
}

export type Service = Awaited<ReturnType<typeof openService>>;

export async function addWebhook(
  store: Store,
  url: string,
  given: { pool?: string; auth?: WebhookEndpoint['auth']; signing?: boolean; properties?: string[] } = {},
) {
  const { pool = 'p1', auth = { type: 'none' }, signing = false, properties = [] } = given;
  return store.webhooks.create(pool, { url, auth, signing, properties });
}

export function install(
  store: Store,
  writeUnit: 'waiver' | 'booking' = 'waiver',
  requestLimits?: RequestLimits,
) {
  return store.installations.install({
    bookingSystem: 'standard',
    pool: 'p1',
    accountId: 1,
    apiKey: 'partner-key',
    information: {},
    writeUnit,
    guestId: 'booking-guest-id',
    takesGuestUpdates: true,
    requestLimits,
    keyOverlapMs: 0,
    madeBy: 'operator',
  });
}

export const waiver = (given: Partial<NewWaiver> = {}): NewWaiver => ({
  id: randomUUID(),
  pool: 'p1',
  bookingSystem: null,
  bookingId: null,
  bookingGuestId: null,
  activities: [],
  currentPage: null,
  answers: {},
  ...given,
});

/** A Guest Update sender that posts the body unchanged, like a plugin that follows the contract. */
function guestUpdateSender({ outbound }: Pick<Service, 'outbound'>, url: string): Sender {
  const endpoint = outbound.endpoint({ url, headers: {} });
  return async ({ body }, signal) => {
    const { status, excerpt, durationMs } = await endpoint.post({ body, signal });
    if (status === 410) throw new WaiverRejected('gone', { retry: 'never', upstreamStatus: 410 });
    if (status >= 300) throw new BookingSystemUnavailable('failed', { upstreamStatus: status });
    return { outcome: 'accepted', status, response: excerpt, durationMs };
  };
}

/** A dispatcher that runs until the test is over. */
export function dispatch(
  service: Pick<Service, 'store' | 'outbound'>,
  given: Partial<DispatcherOptions> & { guestUpdateUrl?: string; watch?: (sender: Sender) => Sender } = {},
): { dispatcher: Dispatcher; events: DispatcherEvent[] } {
  const { store, outbound } = service;
  const { watch = (sender: Sender) => sender } = given;
  const events: DispatcherEvent[] = [];
  const dispatcher = createDispatcher({
    outbox: store.outbox,
    senders: {
      guestUpdate: watch(guestUpdateSender(service, given.guestUpdateUrl ?? 'http://127.0.0.1:1/')),
      alert: unused,
      invitation: unused,
      guestWebhook: watch(
        createWebhookSender({ outbound, endpointOf: (id) => store.webhooks.byDestination(id) }),
      ),
    },
    policy: fastPolicy,
    concurrency: 16,
    destinationConcurrency: 8,
    onEvent: (event) => events.push(event),
    ...given,
  });
  dispatcher.start();
  onTestFinished(() => dispatcher.stop());
  return { dispatcher, events };
}

const unused: Sender = () => Promise.reject(new Error('not used'));

/** The senders of a test, which sends with these only. */
export const sendersWith = (given: Partial<DispatcherOptions['senders']>): DispatcherOptions['senders'] => ({
  guestUpdate: unused,
  guestWebhook: unused,
  alert: unused,
  invitation: unused,
  ...given,
});

/** Waits until a waiver's deliveries are as expected. */
export const untilDeliveries = (
  { store }: Pick<Service, 'store'>,
  waiverId: string,
  deliveries: readonly object[] = [{ state: 'delivered' }],
) => until(async () => expect(await store.waivers.deliveriesOf('p1', waiverId)).toMatchObject(deliveries));

export const warmUps = 10;

/** Sends enough for every destination to be known as quick, even if its first call was slow on a busy machine. */
export async function warmUp({ store }: Pick<Service, 'store'>): Promise<void> {
  for (let sent = 1; sent <= warmUps; sent += 1) {
    await store.waivers.create(waiver({ id: `warm-up-${sent}` }));
    await until(async () => {
      const { items } = await store.deliveries.list({ state: 'delivered' }, { limit: 100 });
      expect(items).toHaveLength(sent);
    });
  }
}

/** A received request. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/** A real HTTP receiver. `answer` ends the response, or leaves it open. */
export async function startReceiver(
  answer: (received: Received, response: ServerResponse) => void | Promise<void> = (_, response) => {
    response.end('{"success":true}');
  },
) {
  const received: Received[] = [];
  const changes = new Set<() => void>();
  let current = answer;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        startedAt: performance.now(),
      };
      received.push(one);
      for (const change of changes) change();
      void current(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerWith(next: typeof answer) {
      current = next;
    },
    /** Resolves once this many requests have arrived. */
    async count(expected: number): Promise<Received[]> {
      while (received.length < expected) {
        await new Promise<void>((resolve) => {
          const change = () => {
            changes.delete(change);
            resolve();
          };
          changes.add(change);
        });
      }
      return received;
    },
  };
}

/** A service, and a receiver that is its webhook. */
export async function openWithWebhook(
  answer?: Parameters<typeof startReceiver>[0],
  options?: Parameters<typeof openService>[0],
) {
  const service = await openService(options);
  const receiver = await startReceiver(answer);
  const { endpoint } = await addWebhook(service.store, receiver.url);
  return { service, receiver, endpoint };
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = '') =>
  (_: Received, response: ServerResponse): void => {
    response.writeHead(code, headers).end(body);
  };
