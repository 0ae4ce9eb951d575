import type { FormContent } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { fareHarborBooking, startFareHarbor } from '@waiver-service/plugin-fareharbor/simulator';
import { octoBooking, startOcto } from '@waiver-service/plugin-octo/simulator';
import type { Fault } from '@waiver-service/simulator';
import {
  accountKey,
  makeLink,
  type PublishedExample,
  publishForm,
  startSystemFor,
  type TestCaller,
  textAt,
} from '@waiver-service/testing';
import { startTestHost, type TestHost } from '../test-host.ts';
import { patiently } from './saturday-guests.ts';

/** How a guest signs. `attached`: at the desk, without the booking, to which staff attach the waiver later. */
type SigningWay = 'phone' | 'kiosk' | 'kiosk-offline' | 'family' | 'returning' | 'attached';

/** The fate of a booking during the day. */
type BookingFate = 'stays' | 'moves' | 'is-cancelled';

/** The booking systems of the day, by install name. */
const systemNames = ['standard', 'standard-query', 'octo', 'fareharbor'] as const;
type SystemName = (typeof systemNames)[number];

export interface PlannedGuest {
  /** The guest's id in the booking system. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** `YYYY-MM-DD` */
  readonly born: string;
  readonly way: SigningWay;
}

export interface PlannedBooking {
  readonly system: SystemName;
  readonly id: string;
  /** The hour at which its session starts, where the activity is. */
  readonly hour: number;
  readonly guests: readonly PlannedGuest[];
  readonly fate: BookingFate;
  /** A note that staff have written, which no waiver may change. */
  readonly note: string;
}

/** Everyone who comes on a Saturday. */
interface SaturdayPlan {
  readonly bookings: readonly PlannedBooking[];
  /** The names of those who sign at the desk and belong to no booking. */
  readonly walkIns: readonly string[];
}

const firstNames = ['Zoë', 'Łukasz', 'Ægir', 'Inês', 'Мария', 'ליאור', 'さくら', 'Noël', 'Ann', 'José'];
const lastNames = ['Bäcker', 'Żak', 'Þórsson', 'Duarte', 'Иванова', 'כהן', '佐藤', "O'Neil", 'Lee', 'Núñez'];

const nameOf = (place: number) =>
  `${firstNames[place % firstNames.length]} ${lastNames[Math.floor(place / firstNames.length) % lastNames.length]} ${place}`;

const uuidOf = (place: number, kind: string) =>
  `${place.toString(16).padStart(8, '0')}-${kind}-4000-8000-000000000000`;

/** OCTO's ids are UUIDs, FareHarbor's guests have numbers. */
function idsOf(system: SystemName, booking: number) {
  const isContract = system === 'standard' || system === 'standard-query';
  return {
    booking: isContract ? `B${booking}` : uuidOf(booking, 'b000'),
    guest(place: number) {
      if (isContract) return `g${place}`;
      return system === 'octo'
        ? uuidOf(booking * 100 + place, 'a000')
        : String(900_000 + booking * 100 + place);
    },
  };
}

/** Of twenty guests who are in no family: 12 on phones, 5 at kiosks, 2 returning, 1 attached by staff. */
const ways: readonly Exclude<SigningWay, 'family'>[] = [
  ...Array<'phone'>(12).fill('phone'),
  'kiosk',
  'kiosk-offline',
  'kiosk',
  'kiosk-offline',
  'kiosk',
  'returning',
  'returning',
  'attached',
];

function fateOf(booking: number): BookingFate {
  if (booking % 15 === 7) return 'moves';
  return booking % 30 === 11 ? 'is-cancelled' : 'stays';
}

function guestsOf(system: SystemName, booking: number): readonly PlannedGuest[] {
  const { guest: idOf } = idsOf(system, booking);
  // A family signs together: a booking in ten is one.
  const isFamily = booking % 10 === 0;
  return Array.from({ length: 6 + (booking % 2) }, (_, place): PlannedGuest => {
    const number = booking * 7 + place;
    const isChild = isFamily && place > 0;
    const drawn = ways[(booking * 13 + place * 3) % ways.length] ?? 'phone';
    // FareHarbor's guests have no address by which they could be known again.
    const way = drawn === 'returning' && system === 'fareharbor' ? 'phone' : drawn;
    return {
      id: idOf(place + 1),
      name: nameOf(number),
      email: `guest${number}@example.com`,
      born: isChild ? `201${place}-05-0${place}` : '1988-02-29',
      way: isFamily ? 'family' : way,
    };
  });
}

/** Plans a Saturday of so many bookings, with six and a half guests each; one person more for every forty is a walk-in. */
function planSaturday(bookings: number): SaturdayPlan {
  const planned = Array.from({ length: bookings }, (_, place): PlannedBooking => {
    const system = systemNames[place % systemNames.length] ?? 'standard';
    return {
      system,
      id: idsOf(system, place).booking,
      hour: 8 + (place % 10),
      guests: guestsOf(system, place),
      fate: fateOf(place),
      note: `Note of staff ${place}`,
    };
  });
  const walkIns = Array.from({ length: Math.ceil(bookings / 6) }, (_, place) => `Walk-In ${place}`);
  return { bookings: planned, walkIns };
}

/** A booking as it is at present. */
interface BookingState extends PlannedBooking {
  readonly isCancelled: boolean;
}

/** One of the day's booking systems. */
interface SaturdaySystem {
  readonly name: SystemName;
  /** Adds a booking, or replaces it. */
  put(booking: BookingState): void;
  /** Makes its own call about a booking that has changed. */
  announce(id: string): Promise<void>;
  /** Refuses everything, as a system that is down. */
  goDown(): void;
  comeBack(): void;
  /** The ids of the waivers that are written to a booking, each as often as it is there. */
  waiversOf(id: string): readonly string[];
  /** The visits that the waivers written to a booking name, where the booking system stores them. */
  visitsOf(id: string): readonly string[];
  /** The note that staff have written to a booking. */
  noteOf(id: string): string;
  close(): Promise<void>;
}

/** When the session of a booking starts, in UTC. */
type StartOf = (hour: number) => string;

const sessionMs = 2 * 3_600_000;
const endOf = (startsAt: string) => new Date(Date.parse(startsAt) + sessionMs).toISOString();
const down: Fault = { kind: 'status', status: 503 };
const activity = 'Rafting';

async function startContractSystem(
  name: 'standard' | 'standard-query',
  host: TestHost,
  pool: string,
  startOf: StartOf,
): Promise<SaturdaySystem> {
  const system = await startSystemFor(name, { bookings: [] });
  const path = `/v1/admin/booking-systems/${name}`;
  await host.admin('PUT', path, { baseUrl: system.url, sendCredentialsTo: new URL(system.url).origin });
  const key = textAt((await host.admin('POST', `${path}/install-keys`, {})).body, 'key');
  await system.install({ baseUrl: host.url, installName: name, key, pool, accountId: 4711 });
  return {
    name,
    put({ id, hour, guests, note, isCancelled }) {
      const startsAt = startOf(hour);
      const booking = {
        id,
        // The contract names no statuses.
        status: isCancelled ? 'Cancelled' : 'Active',
        contact: { name: guests[0]?.name ?? '', email: `booker-${id}@example.com` },
        pax: guests.length,
        guests: guests.map(({ id: guest, name: guestName, email }) => ({
          id: guest,
          name: guestName,
          email,
        })),
        bookedSessions: [{ startsAt, endsAt: endOf(startsAt), activityId: 'raft', activityName: activity }],
        notes: note,
      };
      if (system.bookings.get(id) === undefined) system.bookings.add(booking);
      else system.bookings.replace(booking);
    },
    async announce(id) {
      const [answer] = await system.announce(id);
      if (answer?.status !== 200) throw new Error(`${name} was answered ${JSON.stringify(answer)}`);
    },
    goDown() {
      for (const route of ['read', 'guest-update'] as const) system.faults.always(route, down);
    },
    comeBack: () => system.faults.clear(),
    waiversOf: (id) =>
      [...system.waivers.values()].filter(({ bookingId }) => bookingId === id).map((waiver) => waiver.id),
    visitsOf: (id) =>
      [...system.waivers.values()]
        .filter(({ bookingId }) => bookingId === id)
        .map(({ lastVisit }) => lastVisit),
    noteOf: (id) => system.bookings.get(id)?.notes ?? '',
    close: () => system.close(),
  };
}

const waiverLine = /^\[waiver (\S+)\]/;
const linesOf = (text: string | null | undefined) => (text ?? '').split('\n');
const waiversIn = (text: string | null | undefined) =>
  linesOf(text).flatMap((line) => waiverLine.exec(line)?.[1] ?? []);
const staffNoteIn = (text: string | null | undefined) =>
  linesOf(text)
    .filter((line) => !waiverLine.test(line))
    .join('\n')
    .trim();

async function install(
  host: TestHost,
  pool: string,
  name: SystemName,
  configuration: object,
  account: object,
): Promise<string> {
  const path = `/v1/admin/pools/${pool}/installations/${name}`;
  await host.admin('PUT', `/v1/admin/booking-systems/${name}`, configuration);
  const { status, body, text } = await host.admin('PUT', path, account);
  if (status !== 200) throw new Error(`${name} was not installed: ${status} ${text}`);
  return textAt(body, 'webhookUrl');
}

async function startOctoSystem(host: TestHost, pool: string, startOf: StartOf): Promise<SaturdaySystem> {
  const system = await startOcto({ apiKey: accountKey, env: 'test', bookings: [] });
  const url = await install(
    host,
    pool,
    'octo',
    { baseUrl: system.url, settings: { capabilities: ['octo/pricing'], env: 'test' } },
    { accountId: 'kayaks', apiKey: accountKey },
  );
  const notesOf = (id: string) => system.bookings.get(id)?.notes;
  return {
    name: 'octo',
    put({ id, hour, guests, note, isCancelled }) {
      const startsAt = startOf(hour);
      const [item] = octoBooking.unitItems;
      if (item === undefined) throw new Error('the example has no unit item');
      system.put({
        ...octoBooking,
        id: `b-${id}`,
        uuid: id,
        status: isCancelled ? 'CANCELLED' : 'CONFIRMED',
        supplierReference: `KAY-${id.slice(0, 8)}`,
        availability: {
          ...Object(octoBooking.availability),
          id: startsAt,
          localDateTimeStart: startsAt.replace('.000Z', '+00:00'),
          localDateTimeEnd: endOf(startsAt).replace('.000Z', '+00:00'),
        },
        product: { ...Object(octoBooking.product), internalName: activity, timeZone: 'UTC' },
        contact: {
          ...octoBooking.contact,
          fullName: guests[0]?.name,
          emailAddress: `booker-${id}@example.com`,
        },
        notes: system.bookings.get(id)?.notes ?? note,
        unitItems: guests.map((guest) => ({
          ...item,
          uuid: guest.id,
          supplierReference: `KAY-${guest.id.slice(0, 8)}`,
          contact: { ...item.contact, fullName: guest.name, emailAddress: guest.email },
        })),
      });
    },
    async announce(id) {
      const status = await system.announce(url, id);
      if (status !== 200) throw new Error(`OCTO was answered ${status}`);
    },
    goDown() {
      for (const route of ['read', 'list', 'write'] as const) system.faults.always(route, down);
    },
    comeBack: () => system.faults.clear(),
    waiversOf: (id) => waiversIn(notesOf(id)),
    visitsOf: () => [],
    noteOf: (id) => staffNoteIn(notesOf(id)),
    close: () => system.close(),
  };
}

async function startFareHarborSystem(
  host: TestHost,
  pool: string,
  startOf: StartOf,
): Promise<SaturdaySystem> {
  const keys = { appKey: 'app-key', userKey: accountKey, shortname: 'rafting' };
  const system = await startFareHarbor({ ...keys, bookings: [] });
  const url = await install(
    host,
    pool,
    'fareharbor',
    { baseUrl: system.url, settings: { appKey: keys.appKey, guestNameField: 'Full name' } },
    { accountId: 7, apiKey: keys.userKey, shortname: keys.shortname },
  );
  const example = fareHarborBooking();
  const noteOf = (id: string) => system.bookings.get(id)?.note;
  return {
    name: 'fareharbor',
    put({ id, hour, guests, note, isCancelled }) {
      const startsAt = startOf(hour);
      system.put(
        fareHarborBooking({
          uuid: id,
          pk: Number(guests[0]?.id),
          display_id: `#${guests[0]?.id}`,
          status: isCancelled ? 'cancelled' : 'booked',
          availability: {
            ...Object(example.availability),
            start_at: startsAt.replace('.000Z', '+0000'),
            end_at: endOf(startsAt).replace('.000Z', '+0000'),
            item: { pk: 42, name: activity },
          },
          contact: { ...Object(example.contact), name: guests[0]?.name, email: `booker-${id}@example.com` },
          customers: guests.map(({ id: pk, name }) => ({
            ...example.customers[1],
            pk: Number(pk),
            custom_field_values: [
              {
                custom_field: { pk: 55, type: 'short', name: 'Full name' },
                name: 'Full name',
                value: name,
                display_value: name,
              },
            ],
          })),
          customer_count: guests.length,
          note: system.bookings.get(id)?.note ?? note,
        }),
      );
    },
    async announce(id) {
      const status = await system.announce(url, id);
      if (status !== 200) throw new Error(`FareHarbor was answered ${status}`);
    },
    goDown() {
      for (const route of ['read', 'note'] as const) system.faults.always(route, down);
    },
    comeBack: () => system.faults.clear(),
    waiversOf: (id) => waiversIn(noteOf(id)),
    visitsOf: () => [],
    noteOf: (id) => staffNoteIn(noteOf(id)),
    close: () => system.close(),
  };
}

/** Starts the four booking systems of a Saturday and installs them for the pool. */
async function startSaturdaySystems(
  host: TestHost,
  pool: string,
  startOf: StartOf,
): Promise<Readonly<Record<SystemName, SaturdaySystem>>> {
  const [standard, standardQuery, octo, fareharbor] = await Promise.all([
    startContractSystem('standard', host, pool, startOf),
    startContractSystem('standard-query', host, pool, startOf),
    startOctoSystem(host, pool, startOf),
    startFareHarborSystem(host, pool, startOf),
  ]);
  return { standard, 'standard-query': standardQuery, octo, fareharbor };
}

/** The operator's pool. */
export const pool = 'river';

/** A Saturday that has begun: nobody has signed yet. */
export interface Saturday {
  readonly host: TestHost;
  readonly plan: SaturdayPlan;
  readonly systems: Readonly<Record<SystemName, SaturdaySystem>>;
  readonly form: PublishedExample;
  /** The day of the pool, `YYYY-MM-DD`. */
  readonly date: string;
  /** When a session starts, in UTC. */
  startOf(hour: number): string;
  /** Moves or cancels a booking, as its fate is, and has its booking system say so. */
  change(booking: PlannedBooking): Promise<void>;
  /** A caller by the token of a link. */
  guest(place: object): Promise<TestCaller>;
  close(): Promise<void>;
}

/** A zone in which it is morning now, so that the test's day ends in none of its runs. */
function morningZone(now: Date): { readonly timeZone: string; readonly offsetHours: number } {
  const offsetHours = ((9 - now.getUTCHours() + 36) % 24) - 12;
  // The sign of these zones is turned.
  return { timeZone: `Etc/GMT${offsetHours <= 0 ? '+' : '-'}${Math.abs(offsetHours)}`, offsetHours };
}

function contentOf(): FormContent {
  const [example] = exampleForms;
  if (example === undefined) throw new Error('there is no example form');
  return { ...example.content, validity: { days: 30 }, reuse: 'form' };
}

/** Starts a host with a pool, its form, four booking systems and their bookings of the day. */
export async function startSaturday(bookings: number): Promise<Saturday> {
  const host = await startTestHost({ RETRY_SCHEDULE: `0s,500ms,1s,2s${',3s'.repeat(60)}` });
  const { timeZone, offsetHours } = morningZone(new Date());
  const date = new Date(Date.now() + offsetHours * 3_600_000).toISOString().slice(0, 10);
  const startOf = (hour: number) =>
    new Date(Date.parse(`${date}T00:00:00Z`) + (hour - offsetHours) * 3_600_000).toISOString();
  const app = await host.makePool(pool, { timeZone, installs: 'any' });
  const systems = await startSaturdaySystems(host, pool, startOf);
  const form = await publishForm(host, pool, contentOf());
  const plan = planSaturday(bookings);
  const put = (booking: PlannedBooking) => systems[booking.system].put({ ...booking, isCancelled: false });
  for (const booking of plan.bookings) put(booking);
  return {
    host,
    plan,
    systems,
    form,
    date,
    startOf,
    async change(booking) {
      const { id, hour, fate, system } = booking;
      systems[system].put({ ...booking, hour: hour + 1, isCancelled: fate === 'is-cancelled' });
      await systems[system].announce(id);
    },
    guest: async (place) => patiently(host.as(await makeLink(app, pool, place))),
    async close() {
      await host.close();
      await Promise.all(Object.values(systems).map((system) => system.close()));
    },
  };
}
