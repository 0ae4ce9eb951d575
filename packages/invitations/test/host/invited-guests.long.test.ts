import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createTestDatabase } from '@waiver-service/database/testing';
import { report, seededRandom } from '@waiver-service/testing';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import type { Invitation, InvitationStore } from '../../src/data/index.ts';
import {
  askedOf,
  fetchedOf,
  type MailingHost,
  makeBookings,
  prepareInvitingPool,
  startMailingHost,
  type WorldBooking,
} from '../setup/invited-world.ts';

/** A mail that the server has taken, also where the client did not hear of it. */
interface TakenMail {
  readonly to: string;
  readonly messageId: string;
  readonly raw: string;
  readonly at: number;
}

interface FaultyMailServerOptions {
  /** From 0 to 1. */
  readonly random: () => number;
  /** Addresses that do not exist. */
  readonly refuses: (address: string) => boolean;
  readonly maxDelayMs: number;
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const smtpError = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/**
 * A mail server that refuses addresses, is busy at times, is slow, and drops connections: before it has the text, and after,
 * having taken the mail or not. It counts what it did.
 */
async function startFaultyMailServer({ random, refuses, maxDelayMs }: FaultyMailServerOptions) {
  const mails: TakenMail[] = [];
  const counts = { refused: 0, busy: 0, droppedBefore: 0, droppedTaken: 0, droppedLost: 0, busyAfter: 0 };
  const sockets = new Map<number, Socket>();
  const drop = ({ remotePort }: { readonly remotePort: number }) => sockets.get(remotePort)?.destroy();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, session, done) {
      const fate = random();
      delay(random() * maxDelayMs).then(() => {
        if (refuses(address)) {
          counts.refused += 1;
          return done(smtpError(550, `5.1.1 <${address}>: no such user`));
        }
        if (fate < 0.06) {
          counts.busy += 1;
          return done(smtpError(451, '4.3.2 try again later'));
        }
        if (fate < 0.1) {
          counts.droppedBefore += 1;
          return drop(session);
        }
        done(null);
      });
    },
    onData(stream, session, done) {
      const fate = random();
      text(stream).then(async (raw) => {
        await delay(random() * maxDelayMs);
        const [{ address: to } = { address: '' }] = session.envelope.rcptTo;
        const [, messageId = ''] = /^Message-ID: <([^@>]+)@/im.exec(raw) ?? [];
        const take = () => mails.push({ to, messageId, raw, at: performance.now() });
        if (fate < 0.02) {
          counts.droppedTaken += 1;
          take();
          return drop(session);
        }
        if (fate < 0.04) {
          counts.droppedLost += 1;
          return drop(session);
        }
        if (fate < 0.08) {
          counts.busyAfter += 1;
          return done(smtpError(451, '4.3.0 not now'));
        }
        take();
        done(null);
      }, done);
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.on('close', () => sockets.delete(remotePort));
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  return {
    port: address.port,
    mails,
    counts,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const guests = 2_000;
const pool = 'rafting';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const days = 3;

/** The occasion that a booking has at a full hour, by the rules of docs/invitations.md, in UTC. */
function occasionAt(
  now: Date,
  startsAt: Date,
): { readonly occasion: string; readonly day: string } | undefined {
  const hour = now.getUTCHours();
  if (now >= startsAt || hour >= 21 || hour < 8) return undefined;
  const day = startsAt.toISOString().slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (now.getTime() >= midnight + 7 * hourMs) return { occasion: 'morning-of', day };
  if (now.getTime() >= midnight - 6 * hourMs) return { occasion: 'evening-before', day };
  return now.getTime() >= midnight - 2 * dayMs + 10 * hourMs ? { occasion: 'days-before', day } : undefined;
}

test(`${guests} guests over ${days} days, a faulty mail server, hosts that are killed: none gets a message twice, or after signing, and all others get theirs`, {
  timeout: 900_000,
}, async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  const random = seededRandom(7);
  const server = await startFaultyMailServer({
    random: seededRandom(11),
    refuses: (address) => address.startsWith('nobody-'),
    maxDelayMs: 40,
  });
  // The first hour of a day: the bookings are of that day and later.
  const start = new Date(Math.ceil(Date.now() / dayMs) * dayMs);
  let now = start;
  const all = makeBookings(guests, start, random);
  const bookings = new Map<string, WorldBooking>();
  const options = {
    databaseUrl: database.url,
    encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
    smtpPort: server.port,
    bookings,
    clock: () => now,
  };
  const hosts: MailingHost[] = [await startMailingHost(options), await startMailingHost(options)];
  const killed: MailingHost[] = [];
  onTestFinished(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
    await Promise.all(killed.map(({ store }) => store.close()));
    await server.close();
    await database.drop();
  });
  const store = () => {
    const [host] = hosts;
    if (host === undefined) throw new Error('there is no host');
    return host.store;
  };
  await prepareInvitingPool(store(), pool);

  const announce = (booking: WorldBooking) =>
    store().bookings.save({
      pool,
      bookingSystem: 'standard',
      bookingId: booking.id,
      fetched: fetchedOf(booking),
    });
  /** When each guest signed, by address: what comes more than a second later should not have. */
  const signedAt = new Map<string, number>();
  const counts = { signed: 0, moved: 0, cancelled: 0, killed: 0, restarted: 0, late: 0 };

  async function sign(booking: WorldBooking): Promise<void> {
    const open = booking.guests.filter(({ isSigned }) => !isSigned);
    const guest = open[Math.floor(random() * open.length)];
    if (guest === undefined) return;
    guest.isSigned = true;
    counts.signed += 1;
    await store().waivers.create({
      id: randomUUID(),
      pool,
      bookingSystem: 'standard',
      bookingId: booking.id,
      bookingGuestId: guest.id,
      activities: [],
      currentPage: null,
      answers: { name: guest.id },
    });
    const address = guest.email ?? booking.booker;
    if (!askedOf(booking).has(address)) signedAt.set(`${booking.id} ${address}`, performance.now());
  }

  async function move(booking: WorldBooking): Promise<void> {
    counts.moved += 1;
    const far = random() < 0.5 ? Math.floor(random() * 3 - 1) * dayMs : Math.floor(random() * 5 - 2) * hourMs;
    booking.startsAt = new Date(Math.max(booking.startsAt.getTime() + far, now.getTime() + 2 * hourMs));
    await announce(booking);
  }

  async function cancel(booking: WorldBooking): Promise<void> {
    counts.cancelled += 1;
    booking.isCancelled = true;
    // Half of the booking systems say so.
    if (random() < 0.5) await announce(booking);
  }

  /** Changes some bookings. @returns those that were changed */
  async function change(): Promise<Set<string>> {
    const changed = new Set<string>();
    for (const booking of bookings.values()) {
      const fate = random();
      if (booking.isCancelled || fate > 0.05) continue;
      changed.add(booking.id);
      if (fate < 0.035) await sign(booking);
      else if (fate < 0.045) await move(booking);
      else await cancel(booking);
    }
    return changed;
  }

  async function untilSent(): Promise<void> {
    await expect
      .poll(
        async () => {
          const { items } = await store().destinations.list({ limit: 10 });
          return items.find(({ kind }) => kind === 'invitation')?.waiting ?? 0;
        },
        { timeout: 120_000, interval: 15 },
      )
      .toBe(0);
  }

  async function replace(place: number, how: 'kill' | 'stop'): Promise<void> {
    const host = hosts[place];
    if (host === undefined) return;
    counts[how === 'kill' ? 'killed' : 'restarted'] += 1;
    hosts[place] = await startMailingHost(options);
    if (how === 'stop') return host.stop();
    host.kill();
    killed.push(host);
  }

  /** By booking, occasion, day and address. */
  const due = new Map<string, 'must' | 'may'>();
  const allowed = new Set<string>();
  for (let hour = 0; hour < days * 24; hour += 1) {
    now = new Date(start.getTime() + hour * hourMs);
    for (const booking of all) {
      if (bookings.has(booking.id) || booking.madeAt > now || booking.startsAt <= now) continue;
      bookings.set(booking.id, booking);
      if (booking.madeAt > start) counts.late += 1;
      await announce(booking);
    }
    await change();
    const isQuiet = now.getUTCHours() < 8 || now.getUTCHours() >= 21;
    const expected = [...bookings.values()].flatMap((booking) => {
      const occasion = booking.isCancelled ? undefined : occasionAt(now, booking.startsAt);
      if (occasion === undefined) return [];
      return [...askedOf(booking)].map((email) => ({
        id: booking.id,
        key: `${booking.id} ${occasion.occasion} ${occasion.day} ${email}`,
      }));
    });
    for (const { key } of expected) allowed.add(key);
    // Meanwhile guests sign, bookings move and are cancelled, and hosts end.
    const planning = hosts.map((host) => host.plan(pool));
    const meanwhile = isQuiet ? Promise.resolve(new Set<string>()) : change();
    // To take over from a killed host takes seconds.
    const hasKill = hour % 24 === 10 || hour % 24 === 18;
    if (hasKill) await replace(hour % 2, 'kill');
    const hasRestart = hour % 24 === 14;
    if (hasRestart) await replace(0, 'stop');
    const touched = await meanwhile;
    // A host that has ended plans no more.
    await (hasKill || hasRestart ? Promise.race([...planning, Promise.resolve()]) : Promise.all(planning));
    await Promise.all(hosts.map((host) => host.plan(pool)));
    await untilSent();
    for (const { id, key } of expected)
      if (due.get(key) !== 'must') due.set(key, touched.has(id) ? 'may' : 'must');
    // What was changed meanwhile may have an occasion by now that it had not before.
    for (const id of touched) {
      const booking = bookings.get(id);
      const occasion = booking && occasionAt(now, booking.startsAt);
      if (booking === undefined || occasion === undefined) continue;
      for (const email of askedOf(booking))
        allowed.add(`${id} ${occasion.occasion} ${occasion.day} ${email}`);
    }
  }

  const log = new Map<string, Invitation>();
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<InvitationStore['invitations']['list']>> = await store().invitations.list(
      pool,
      {
        limit: 100,
        cursor,
      },
    );
    for (const item of page.items) log.set(item.id, item);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  const keyOf = ({ bookingId, occasion, day, email }: Invitation) =>
    `${bookingId} ${occasion} ${day} ${email}`;
  const received = Map.groupBy(server.mails, ({ messageId }) => {
    const message = log.get(messageId);
    if (message === undefined) throw new Error(`the mail ${messageId} is of no message`);
    return keyOf(message);
  });

  const twice = [...received].filter(([, mails]) => mails.length > 1);
  const toOthers = server.mails.filter(({ messageId, to }) => log.get(messageId)?.email !== to);
  const unasked = [...received.keys()].filter((key) => !allowed.has(key));
  const afterSigning = server.mails.filter(({ messageId, to, at }) => {
    const signed = signedAt.get(`${log.get(messageId)?.bookingId} ${to}`);
    return signed !== undefined && at > signed + 1_000;
  });
  // Of one that was left out, and the one after it: the latter.
  const isLeftOut = ({ state }: Invitation) => Number(state === 'left-out');
  const ordered = [...log.values()].toSorted((one, other) => isLeftOut(other) - isLeftOut(one));
  const byKey = new Map(ordered.map((message) => [keyOf(message), message]));
  const missing = [...due].filter(([key, sort]) => {
    if (sort === 'may' || received.has(key)) return false;
    const [, , , email = ''] = key.split(' ');
    // Refused addresses get none; what may have arrived is not sent again.
    return !email.startsWith('nobody-') && byKey.get(key)?.state !== 'in-doubt';
  });
  const inState = (state: string) => [...log.values()].filter((message) => message.state === state).length;
  report({
    bookings: bookings.size,
    ...counts,
    mails: server.mails.length,
    ...server.counts,
    inDoubt: inState('in-doubt'),
    leftOut: inState('left-out'),
    refusedAddresses: inState('refused'),
  });
  expect({
    twice: twice.map(([key]) => key),
    toOthers,
    unasked,
    afterSigning: afterSigning.map(({ to }) => to),
    missing: missing.map(([key]) => `${key}: ${byKey.get(key)?.state} ${byKey.get(key)?.reason}`),
  }).toEqual({ twice: [], toOthers: [], unasked: [], afterSigning: [], missing: [] });
  expect(inState('waiting') + inState('handing-over')).toBe(0);
  // An address that does not exist is tried once.
  expect(server.counts.refused).toBeLessThanOrEqual(
    new Set([...log.values()].filter(({ email }) => email.startsWith('nobody-')).map(({ email }) => email))
      .size +
      counts.killed * 16,
  );
  expect(server.mails.length).toBeGreaterThan(guests / 2);
  expect(Math.min(server.counts.busy, server.counts.droppedBefore)).toBeGreaterThan(0);
});
