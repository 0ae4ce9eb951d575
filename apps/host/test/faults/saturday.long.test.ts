import type { Signing } from '@waiver-service/forms';
import { type SealingKey, sealEnvelope } from '@waiver-service/forms/envelope';
import { report, type TestCaller, textAt, until } from '@waiver-service/testing';
import { expect, test } from 'vitest';
import {
  type PlannedBooking,
  type PlannedGuest,
  pool,
  type Saturday,
  startSaturday,
} from '../harness/saturday/saturday.ts';
import { confirm, open, patiently, send, signingOf } from '../harness/saturday/saturday-guests.ts';
import type { TestHost } from '../harness/test-host.ts';

/** A booking as signings at a kiosk name it. */
interface KioskBooking {
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** A tablet at the desk. */
interface SaturdayKiosk {
  /** Signs for a booking, or, without signal, seals the signing and keeps it. */
  sign(booking: KioskBooking, signing: Signing): Promise<void>;
  loseSignal(): void;
  /** Sends what waits, and does so twice, as a tablet that never got the first answer. @returns how many there were */
  findSignal(): Promise<number>;
}

interface Sealed {
  readonly key: SealingKey;
  readonly envelope: string;
}

/** Pairs a tablet by a code of the console. */
async function pairKiosk({ admin, as }: TestHost, pool: string, name: string): Promise<SaturdayKiosk> {
  const added = await admin('POST', `/v1/admin/pools/${pool}/kiosks`, { name, pin: '2468' });
  const anyone = patiently(as(null));
  const paired = await anyone('POST', '/check-in/api/kiosk/pair', { code: textAt(added.body, 'code') });
  const token = textAt(paired.body, 'token');
  const kiosk = patiently(as(token));
  const { body: day } = await kiosk('PUT', '/check-in/api/kiosk/day', { waiting: 0, waitingSince: null });
  const key: SealingKey = day.sealing;
  const waiting: Sealed[] = [];
  let hasSignal = true;
  return {
    async sign(booking, signing) {
      if (!hasSignal) {
        waiting.push({ key, envelope: await sealEnvelope(key, JSON.stringify({ token, booking, signing })) });
        return;
      }
      const { status, body, text } = await kiosk('POST', '/check-in/api/kiosk/signings', {
        booking,
        signing,
      });
      if (status !== 201 && body.code !== 'booking_cancelled')
        throw new Error(`the kiosk was answered ${status}: ${text}`);
    },
    loseSignal() {
      hasSignal = false;
    },
    async findSignal() {
      hasSignal = true;
      for (const _time of [1, 2]) {
        for (const { key: sealedWith, envelope } of waiting) {
          const path = `/check-in/api/sealed-signings/${sealedWith.id}`;
          const { status, text } = await anyone('POST', path, { envelope });
          if (status >= 300) throw new Error(`a signing that waited was answered ${status}: ${text}`);
        }
      }
      return waiting.length;
    },
  };
}

const bookings = 300;
/** Guests who are on their phones at the same time. */
const parallel = 8;
const maxMs = 3_600_000;

type Step = () => Promise<void>;

async function inParallel(steps: readonly Step[]): Promise<void> {
  const queue = steps.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const step of queue) await step();
    }),
  );
}

/** Steps in the order of the day, with others at their places in it: 0 is its beginning, 1 its end. */
function withEvents(
  steps: readonly Step[],
  events: readonly (readonly [place: number, event: Step])[],
): Step[] {
  const placed = [...steps.map((step, index) => [index / steps.length, step] as const), ...events];
  return placed.toSorted(([one], [other]) => one - other).map(([, step]) => step);
}

const groupLink = ({ guest }: Saturday, { system, id }: PlannedBooking): Promise<TestCaller> =>
  guest({ bookingSystem: system, bookingId: id });

/** A guest, or a family, opens the link of the group and signs, unless the booking was cancelled meanwhile. */
const signOnPhone =
  (saturday: Saturday, booking: PlannedBooking, guests: readonly PlannedGuest[]): Step =>
  async () => {
    const link = await groupLink(saturday, booking);
    if (!(await open(link))) return;
    await send(link, signingOf(saturday.form, guests));
  };

/**
 * A guest who was here before opens their own link, and confirms what they signed then. They sign if their booking system is
 * down, so that their address is not known.
 */
const confirmAgain =
  (saturday: Saturday, { system, id }: PlannedBooking, guest: PlannedGuest): Step =>
  async () => {
    const own = await saturday.guest({ bookingSystem: system, bookingId: id, bookingGuestId: guest.id });
    if (!(await open(own))) return;
    if (!(await confirm(own, guest))) await send(own, signingOf(saturday.form, [guest]));
  };

/** Those who return were here the day before, and signed by the link of another booking. */
async function signTheDayBefore(saturday: Saturday): Promise<void> {
  const guests = saturday.plan.bookings
    .flatMap((booking) => booking.guests)
    .filter(({ way }) => way === 'returning')
    .map((guest, place) => ({ ...guest, id: `g${place + 1}` }));
  const booking = {
    system: 'standard',
    id: 'B-before',
    hour: 10 - 24,
    guests,
    fate: 'stays',
    note: '',
  } as const;
  saturday.systems.standard.put({ ...booking, isCancelled: false });
  const link = await groupLink(saturday, booking);
  await open(link);
  await inParallel(
    guests.map((guest) => async () => void (await send(link, signingOf(saturday.form, [guest])))),
  );
}

const signAtKiosk =
  ({ form }: Saturday, kiosk: SaturdayKiosk, { system, id }: PlannedBooking, guest: PlannedGuest): Step =>
  () =>
    kiosk.sign({ bookingSystem: system, bookingId: id }, signingOf(form, [guest]));

const walkIn =
  ({ guest, form }: Saturday, name: string): Step =>
  async () => {
    const desk = await guest({ desk: true });
    await open(desk);
    await send(desk, signingOf(form, [{ name, email: 'walk-in@example.com', born: '1988-02-29' }]));
  };

/** A guest of a booking signs at the desk, without it. @returns the step in which staff attach the waiver later */
async function signAtDesk(
  { guest, form, host }: Saturday,
  { system, id }: PlannedBooking,
  { id: bookingGuestId, ...person }: PlannedGuest,
): Promise<Step> {
  const desk = await guest({ desk: true });
  await open(desk);
  const [waiver] = await send(desk, signingOf(form, [person]));
  return async () => {
    const path = `/v1/admin/pools/${pool}/waivers/${waiver}/booking`;
    const place = { bookingSystem: system, bookingId: id, bookingGuestId };
    const { status, body, text } = await host.admin('PUT', path, place);
    if (status !== 200 && body.code !== 'booking_cancelled')
      throw new Error(`the waiver was not attached: ${status} ${text}`);
  };
}

/** The ways in which the guests of a booking sign; those that staff have to attach are added to `toAttach`. */
function stepsOf(
  saturday: Saturday,
  booking: PlannedBooking,
  { kiosks, toAttach }: { readonly kiosks: readonly SaturdayKiosk[]; readonly toAttach: Step[] },
): Step[] {
  const family = booking.guests.filter(({ way }) => way === 'family');
  const steps = booking.guests.flatMap((guest): Step[] => {
    switch (guest.way) {
      case 'family':
        return [];
      case 'kiosk':
      case 'kiosk-offline': {
        const kiosk = kiosks[guest.way === 'kiosk' ? 0 : 1];
        return kiosk === undefined ? [] : [signAtKiosk(saturday, kiosk, booking, guest)];
      }
      case 'returning':
        return [confirmAgain(saturday, booking, guest)];
      case 'attached':
        return [async () => void toAttach.push(await signAtDesk(saturday, booking, guest))];
      default:
        return [signOnPhone(saturday, booking, [guest])];
    }
  });
  return family.length === 0 ? steps : [...steps, signOnPhone(saturday, booking, family)];
}

/** Bookings move and are cancelled, a booking system goes down, the kiosk at the river loses its signal. */
function eventsOf({ plan, systems, change }: Saturday, atRiver: SaturdayKiosk): (readonly [number, Step])[] {
  const changed = plan.bookings.filter(({ fate }) => fate !== 'stays');
  return [
    [0.3, async () => systems.octo.goDown()],
    [0.6, async () => systems.octo.comeBack()],
    [0.2, async () => atRiver.loseSignal()],
    [0.7, async () => expect(await atRiver.findSignal()).toBeGreaterThan(0)],
    ...changed.map((booking, index) => [(index + 1) / (changed.length + 1), () => change(booking)] as const),
  ];
}

/** Who has to have signed. */
const mustSign = ({ plan }: Saturday) => plan.bookings.filter(({ fate }) => fate !== 'is-cancelled');

async function untilSent({ host }: Saturday): Promise<void> {
  await until(
    async () => {
      const { body } = await host.admin('GET', `/v1/admin/deliveries?pool=${pool}&state=waiting&limit=1`);
      return body.items.length === 0;
    },
    'messages to be sent',
    maxMs,
  );
}

interface BoardGuest {
  readonly bookingGuestId?: string;
  readonly kind: string;
  readonly state: string;
  readonly waiverId?: string;
}
interface BoardBooking {
  readonly bookingId: string;
  readonly signed: number;
  readonly guests: readonly BoardGuest[];
}

/** The board, once the booking systems that were down have given their bookings. */
async function readBoard({ host, date, plan }: Saturday) {
  return until(
    async () => {
      const { body } = await host.admin('GET', `/v1/admin/pools/${pool}/days/${date}`);
      const boards: readonly BoardBooking[] = body.bookings;
      if (boards.length < plan.bookings.length) return undefined;
      const walkIns: readonly { readonly name: string }[] = body.walkIns;
      return {
        counts: body.counts,
        walkIns,
        bookings: new Map(boards.map((each) => [each.bookingId, each])),
      };
    },
    'every booking on the board',
    maxMs,
  );
}

test(
  `a Saturday with ${bookings} bookings: everyone has signed once, and every booking system has it`,
  async () => {
    const saturday = await startSaturday(bookings);
    try {
      const { plan, systems, host, startOf } = saturday;
      await signTheDayBefore(saturday);
      const kiosks = [await pairKiosk(host, pool, 'Desk'), await pairKiosk(host, pool, 'River')] as const;
      const toAttach: Step[] = [];
      const steps = [
        ...plan.bookings.flatMap((booking) => stepsOf(saturday, booking, { kiosks, toAttach })),
        ...plan.walkIns.map((name) => walkIn(saturday, name)),
      ];
      await inParallel(withEvents(steps, eventsOf(saturday, kiosks[1])));
      await inParallel(toAttach);
      await untilSent(saturday);

      const board = await readBoard(saturday);
      for (const booking of mustSign(saturday)) {
        const shown = board.bookings.get(booking.id);
        const { guests = [] } = shown ?? {};
        expect(guests.map(({ kind, state, bookingGuestId }) => ({ kind, state, bookingGuestId }))).toEqual(
          booking.guests.map(({ id }) => ({ kind: 'listed', state: 'signed', bookingGuestId: id })),
        );
        const written = systems[booking.system].waiversOf(booking.id);
        expect(written.toSorted()).toEqual(guests.map(({ waiverId }) => waiverId).toSorted());
      }
      for (const { system, id, note } of plan.bookings) expect(systems[system].noteOf(id)).toBe(note);
      for (const booking of plan.bookings.filter(({ fate }) => fate === 'moves')) {
        for (const visit of systems[booking.system].visitsOf(booking.id))
          expect(visit).toBe(startOf(booking.hour + 1));
      }
      const { body: dead } = await host.admin('GET', `/v1/admin/deliveries?pool=${pool}&state=dead`);
      expect(dead.items).toEqual([]);
      // Those who were at the desk when their booking was cancelled stay there, too.
      const names = board.walkIns.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(expect.arrayContaining([...plan.walkIns]));
      const guests = mustSign(saturday).flatMap((booking) => booking.guests).length;
      expect(board.counts).toMatchObject({
        bookings: mustSign(saturday).length,
        signed: guests + names.length,
        missing: 0,
      });
      report({ ...board.counts, 'walk-ins': plan.walkIns.length });
    } finally {
      await saturday.close();
    }
  },
  maxMs,
);
