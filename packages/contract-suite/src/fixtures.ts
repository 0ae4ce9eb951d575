import type { Booking, Waiver } from '@waiver-service/core';
import { isJsonObject } from '@waiver-service/plugin-kit';

/** A JSON object that a clause may change before it is sent. */
export type Body = Record<string, unknown>;

/** The default booking id. */
export const contractBookingId = 'BK-2001';

const contact = { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' };
const shared = {
  id: contractBookingId,
  status: 'Active',
  contact,
  pax: 3,
  notes: 'Anreise mit dem Zug 🚆',
};
const time = { startsAt: '2027-06-12T07:30:00Z', endsAt: '2027-06-12T11:00:00Z' };
const guests = [
  { id: 'G-1', name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' },
  { id: 'G-2', name: '李小龍' },
];
const bookedSessions = [
  { ...time, activityId: 'canyon', activityName: 'Canyoning – Grünbach' },
  { ...time, activityId: 'raft', activityName: 'Rafting auf dem Inn' },
];

/** The booking that {@link writeCurrent} and {@link writeLegacy} serialize. */
export const contractBooking: Booking = { ...shared, guests, bookedSessions };

/** The booking in the contract's current form, with some fields changed. */
export function writeCurrent(changes: Body = {}): Body {
  return structuredClone({ ...shared, guests, bookedSessions, ...changes });
}

/** The booking in the contract's legacy form (contract 9), with some fields changed. */
export function writeLegacy(changes: Body = {}): Body {
  return structuredClone({
    ...shared,
    ...time,
    activities: bookedSessions.map(({ activityId, activityName }) => ({
      activity: activityName,
      activityId,
    })),
    guests: guests.map(({ id, ...guest }) => ({ guestId: id, ...guest })),
    ...changes,
  });
}

/** The first guest of {@link contractBooking}, with some fields changed or omitted. */
export const firstGuest = (changes: Body) => ({ ...guests[0], ...changes });
/** See {@link firstGuest}. */
export const changedContact = (changes: Body) => ({ ...contact, ...changes });
/** See {@link firstGuest}. */
export const firstSession = (changes: Body) => ({ ...bookedSessions[0], ...changes });

/** The default pool. */
export const contractPool = 'pool-1';

/** A waiver with the contract's fields in their order (contract 2.5), some of them changed. */
export function contractWaiver(changes: Partial<Waiver> = {}): Waiver {
  return {
    id: '01980f7e-waiver-1',
    pool: contractPool,
    bookingId: contractBookingId,
    bookingGuestId: 'G-1',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: '2027-06-11T18:00:00.123Z',
    ...changes,
  };
}

/** A waiver for a guest to whom the booking system gave no id. */
export function waiverWithoutGuestId(changes: Partial<Waiver> = {}): Waiver {
  const { bookingGuestId: _unknown, ...waiver } = contractWaiver(changes);
  return waiver;
}

const maxBodyBytes = 5 * 1024 * 1024;

/** A page as sent by a proxy or a wrong address. */
export const proxyPage =
  '<!doctype html><html><head><title>502</title></head><body><h1>Bad gateway</h1></body></html>';

/** Ways to break a valid body. */
export const brokenBodies = {
  half: (text: string) => text.slice(0, Math.floor(text.length / 2)),
  // Still valid JSON, so that only the size limit can refuse it.
  tooLarge: (text: string) => text + ' '.repeat(maxBodyBytes + 1 - Buffer.byteLength(text)),
};

/** A JSON value with one of the values in it left open. */
interface OpenValue {
  /** Path of the open value, such as `guests.0.name`; empty for the whole. */
  readonly where: string;
  /** What stands there. */
  readonly value: unknown;
  /** Returns the whole with another value there. */
  readonly change: (value: unknown) => unknown;
}

const pathOf = (name: string, inner: string) => (inner === '' ? name : `${name}.${inner}`);

/** Opens, one at a time, a value and each value in it. */
export function withEachValue(whole: unknown): OpenValue[] {
  const own: OpenValue = { where: '', value: whole, change: (value) => value };
  if (typeof whole !== 'object' || whole === null) return [own];
  const inner = Object.entries(whole).flatMap(([name, field]) => {
    const withField = (changed: unknown) =>
      Array.isArray(whole) ? whole.with(Number(name), changed) : { ...whole, [name]: changed };
    return withEachValue(field).map(({ where, value, change }) => ({
      where: pathOf(name, where),
      value,
      change: (changed: unknown) => withField(change(changed)),
    }));
  });
  return [own, ...inner];
}

/** Opens, one at a time, each text of a value, and in each object the name of an additional field. */
export const withEachText = (whole: unknown): Pick<OpenValue, 'where' | 'change'>[] =>
  withEachValue(whole).flatMap(({ where, value, change }) => {
    if (typeof value === 'string') return [{ where, change }];
    if (!isJsonObject(value)) return [];
    return [{ where: pathOf(where, 'a name'), change: (text) => change({ ...value, [String(text)]: text }) }];
  });

/** Values that a vendor's documents do not promise. */
export const strayValues: readonly unknown[] = [
  null,
  -1.5,
  '2027-02-30',
  [null],
  // As `JSON.parse` makes it: fields like any others.
  JSON.parse('{"__proto__":{"id":1},"constructor":1,"toString":null}'),
];

// The contract's limit for ids (contract 8).
const maxIdBytes = 256;
const alphabet = 'a/b?c#d%e+f g&h=i;j:k@"<>\\^`{|}~!$\'()*,é🎫%2F%00';

function fill(bytes: number): string {
  let text = '';
  for (const character of alphabet.repeat(bytes)) {
    if (Buffer.byteLength(text + character) > bytes) break;
    text += character;
  }
  return text.padEnd(text.length + bytes - Buffer.byteLength(text), 'z');
}

/** Ids that must arrive unchanged in any part of a URL. */
export const hostileIds: readonly string[] = [
  'a/b',
  '/',
  'a?b=c',
  'a#b',
  '100%',
  '%2F',
  'a+b',
  'a b',
  ' ',
  'a&pool=other',
  '..%2f..',
  '../x',
  'ü 李 🎫',
  '…',
  "!'()*;:@=$,",
  fill(maxIdBytes),
];

const asciiCharacters = String.fromCodePoint(...Array(0x80).keys());

/** Ids for any place of a vendor's answer, where a plugin may take a blank one for a missing one. */
export const visibleIds: readonly string[] = [
  ...hostileIds.filter((id) => id.trim() !== ''),
  '.',
  '..',
  asciiCharacters,
];
