import { createMailer } from '@waiver-service/alerts';
import { BookingNotFound, type FetchedBooking } from '@waiver-service/core';
import type { EncryptionKey } from '@waiver-service/database';
import { createDispatcher } from '@waiver-service/delivery';
import { exampleForms } from '@waiver-service/forms/examples';
import type { BookingReader } from '@waiver-service/integration';
import type { Store } from '@waiver-service/store';
import type { InvitationStore } from '../../src/data/invitation-store.ts';
import { planPool } from '../../src/invitation-planning.ts';
import { createInvitationSender } from '../../src/invitation-sender.ts';
import { openOther } from './open-outbox.ts';

/** A guest as the world knows them: the truth, whatever was read. */
export interface WorldGuest {
  readonly id: string;
  readonly email: string | undefined;
  isSigned: boolean;
}

/** A booking as the world knows it. */
export interface WorldBooking {
  readonly id: string;
  readonly booker: string;
  startsAt: Date;
  readonly guests: readonly WorldGuest[];
  isCancelled: boolean;
  /** Not yet made. */
  readonly madeAt: Date;
}

const hourMs = 3_600_000;

/** Bookings of the days after a moment, with some `guests` in all. Some are made later than others. */
export function makeBookings(guests: number, from: Date, random: () => number): WorldBooking[] {
  const bookings: WorldBooking[] = [];
  for (let made = 0; made < guests; ) {
    const size = 1 + Math.floor(random() * 5);
    const id = `b${bookings.length}`;
    // On one of five days, between 9:00 and 18:00 in Berlin.
    const startsAt = new Date(
      from.getTime() + Math.floor(random() * 5) * 24 * hourMs + (9 + Math.floor(random() * 10)) * hourMs,
    );
    const booker = `booker-${id}@example.com`;
    const addressOf = (place: number) => {
      const kind = random();
      if (place === 0 && kind < 0.4) return booker;
      if (kind > 0.97) return `nobody-${id}-${place}@example.com`;
      return kind < 0.7 ? `guest-${id}-${place}@example.com` : undefined;
    };
    bookings.push({
      id,
      booker,
      startsAt,
      guests: Array.from({ length: size }, (_, place) => ({
        id: `g${place}`,
        email: addressOf(place),
        isSigned: false,
      })),
      isCancelled: false,
      madeAt: new Date(from.getTime() + (random() < 0.6 ? 0 : random() * 60 * hourMs)),
    });
    made += size;
  }
  return bookings;
}

/** A booking as its booking system returns it. */
export function fetchedOf({ id, booker, startsAt, guests, isCancelled }: WorldBooking): FetchedBooking {
  return {
    form: 'current',
    booking: {
      id,
      status: isCancelled ? 'Cancelled' : 'Active',
      statusGroup: isCancelled ? 'cancelled' : 'active',
      contact: { name: `Booker ${id}`, email: booker },
      pax: guests.length,
      guests: guests.map(({ id: guest, email }) => ({
        id: guest,
        name: `Guest ${guest}`,
        ...(email === undefined ? {} : { email }),
      })),
      bookedSessions: [{ startsAt: startsAt.toISOString(), activityId: 'raft', activityName: 'Rafting' }],
    },
    warnings: [],
  };
}

/** Who is to be asked to sign, by the rules of docs/invitations.md. */
export function askedOf({ guests, booker }: WorldBooking): Set<string> {
  const open = guests.filter(({ isSigned }) => !isSigned);
  return new Set(open.map(({ email }) => email ?? booker));
}

/** Reads bookings of the world as a host does: what is read is stored. */
export function worldReader(
  bookings: ReadonlyMap<string, WorldBooking>,
  store: Pick<Store, 'bookings'>,
): BookingReader {
  const readNow: BookingReader['readNow'] = async ({ pool, bookingId }) => {
    const booking = bookings.get(bookingId);
    if (booking === undefined) throw new BookingNotFound('there is no such booking');
    const fetched = fetchedOf(booking);
    const bookingSystem = 'standard';
    await store.bookings.save({ pool, bookingSystem, bookingId, fetched });
    return { bookingSystem, bookingId, fetched, fetchedAt: new Date(), stale: false };
  };
  return { readNow, read: () => Promise.reject(new Error('not used')) };
}

/** A pool that invites its guests two days before, in the evening before and in the morning, but for its quiet hours. */
export async function prepareInvitingPool(store: InvitationStore, pool: string): Promise<void> {
  await store.pools.put({ id: pool, name: 'River Rafting', timeZone: 'UTC' });
  await store.installations.install({
    bookingSystem: 'standard',
    pool,
    accountId: 'a1',
    apiKey: 'key',
    information: {},
    writeUnit: 'waiver',
    takesGuestUpdates: false,
    guestId: 'booking-guest-id',
    keyOverlapMs: 0,
    madeBy: 'operator',
  });
  const form = await store.forms.create(pool, 'Waiver');
  const content = JSON.stringify({ ...exampleForms[0]?.content, activities: [] });
  await store.forms.putDraft(pool, form.id, content);
  await store.forms.publish(pool, form.id, { draft: content, content, hash: '00', publishedBy: 'a test' });
  await store.vendorWebhooks.setBaseUrl('https://waivers.example.com');
  await store.invitations.putSettings(pool, {
    enabled: true,
    content: JSON.stringify({
      occasions: { daysBefore: { days: 2, hour: 10 }, eveningBefore: { hour: 18 }, morningOf: { hour: 7 } },
      quietHours: { from: 21, until: 8 },
    }),
  });
}

interface MailingHostOptions {
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
