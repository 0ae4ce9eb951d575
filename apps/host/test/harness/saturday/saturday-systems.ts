import { fareHarborBooking, startFareHarbor } from '@waiver-service/plugin-fareharbor/simulator';
import { octoBooking, startOcto } from '@waiver-service/plugin-octo/simulator';
import type { Fault } from '@waiver-service/simulator';
import { accountKey, type ConnectedHost, startSystemFor, textAt } from '../connected-host.ts';
import type { PlannedBooking, SystemName } from './saturday-plan.ts';

/** A booking as it is at present. */
export interface BookingState extends PlannedBooking {
  readonly isCancelled: boolean;
}

/** One of the day's booking systems. */
export interface SaturdaySystem {
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
export type StartOf = (hour: number) => string;

const sessionMs = 2 * 3_600_000;
const endOf = (startsAt: string) => new Date(Date.parse(startsAt) + sessionMs).toISOString();
const down: Fault = { kind: 'status', status: 503 };
const activity = 'Rafting';

async function startContractSystem(
  name: 'standard' | 'standard-query',
  host: ConnectedHost,
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
  host: ConnectedHost,
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

async function startOctoSystem(host: ConnectedHost, pool: string, startOf: StartOf): Promise<SaturdaySystem> {
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
  host: ConnectedHost,
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
export async function startSaturdaySystems(
  host: ConnectedHost,
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
