import { createMailer } from '@waiver-service/alerts';
import type { EncryptionKey } from '@waiver-service/database';
import { createDispatcher } from '@waiver-service/delivery';
import type { InvitationStore } from '../../src/data/invitation-store.ts';
import { planPool } from '../../src/invitation-planning.ts';
import { createInvitationSender } from '../../src/invitation-sender.ts';
import { type WorldBooking, worldReader } from './invited-world.ts';
import { openOther } from './open-outbox.ts';

export interface MailingHostOptions {
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly smtpPort: number;
  readonly bookings: ReadonlyMap<string, WorldBooking>;
  readonly clock: () => Date;
}

/** A host's part that writes to guests, by a clock of the test. */
export interface MailingHost {
  readonly store: InvitationStore;
  /** Plans until nothing is left to plan. */
  plan(pool: string): Promise<void>;
  /** As on SIGTERM. */
  stop(): Promise<void>;
  /** As by kill -9: connections end, and whatever was under way comes to nothing. */
  kill(): void;
}

const never = () => new Promise<never>(() => {});

/** The functions of an object, none of which returns any more once the host is killed. */
function mortal<Part extends object>(part: Part, isKilled: () => boolean): Part {
  return new Proxy(part, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (isKilled()) return never();
        const result: unknown = Reflect.apply(value, target, given);
        // The commit holds, but its caller does not learn of it.
        return result instanceof Promise ? result.finally(() => (isKilled() ? never() : undefined)) : result;
      };
    },
  });
}

/** Starts a host that sends what is planned. */
export async function startMailingHost(options: MailingHostOptions): Promise<MailingHost> {
  const { databaseUrl, encryptionKeys, smtpPort, bookings, clock } = options;
  const store = await openOther(databaseUrl, encryptionKeys);
  const killing = new AbortController();
  const isKilled = () => killing.signal.aborted;
  const mailer = createMailer({
    server: { host: '127.0.0.1', port: smtpPort, secure: false, user: undefined, password: undefined },
    from: 'waivers@operator.example',
    timeoutMs: 5_000,
  });
  const living: InvitationStore = {
    ...store,
    outbox: mortal(store.outbox, isKilled),
    invitations: mortal(store.invitations, isKilled),
  };
  const bookingReader = worldReader(bookings, living);
  const services = { store: living, bookingReader };
  const unused = () => Promise.reject(new Error('not used'));
  const dispatcher = createDispatcher({
    outbox: living.outbox,
    senders: {
      guestUpdate: unused,
      guestWebhook: unused,
      alert: unused,
      invitation: createInvitationSender({
        ...services,
        mailer: {
          async send(mail, signal) {
            try {
              return await mailer.send(mail, AbortSignal.any([signal, killing.signal]));
            } finally {
              if (isKilled()) await never();
            }
          },
        },
        clock,
      }),
    },
    policy: { retrySchedule: Array<number>(60).fill(20), pauseAfterMs: 1e9, probeIntervalMs: 1e9 },
    concurrency: 24,
    destinationConcurrency: 16,
    leaseMs: 2_000,
    leaseMarginMs: 500,
    onEvent: () => {},
  });
  const stopping = new AbortController();
  const ending = AbortSignal.any([stopping.signal, killing.signal]);
  const planning = new Set<Promise<void>>();
  async function planAll(pool: string): Promise<void> {
    while (await planPool(services, pool, { now: clock(), signal: ending }));
  }
  dispatcher.start();
  return {
    store,
    plan(pool) {
      const planned = planAll(pool).catch((error: unknown) => {
        if (!ending.aborted) throw error;
      });
      planning.add(planned);
      return planned.finally(() => planning.delete(planned));
    },
    async stop() {
      stopping.abort();
      await Promise.all([...planning, dispatcher.stop()]);
      await store.close();
    },
    kill: () => killing.abort(),
  };
}
