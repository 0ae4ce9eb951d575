import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import {
  bookingForms,
  bookingNotFoundSchema,
  bookingSchema,
  contractChoicesSchema,
  currentBookingSchema,
  guestUpdateResponseSchema,
  guestUpdateSchema,
  guestWebhookSchema,
  installRequestSchema,
  installResponseSchema,
  legacyBookingSchema,
  outboundErrorCodes,
  statusGroups,
  uninstallResponseSchema,
  waiverFieldNames,
  waiverSchema,
  warningCodes,
  webhookGuestFieldNames,
  webhookGuestSchema,
} from '../src/index.ts';

// Bodies that conform to the contract strictly, with every field that it defines.
const startsAt = '2026-05-01T09:30:00Z';
const endsAt = '2026-05-01T11:30:00Z';
const withMilliseconds = '2026-05-01T09:30:00.000Z';
const contact = { name: 'Zoë', email: 'zoe@example.com', phoneNumber: '+44' };
const guest = { id: 'G1', name: 'Ana', email: 'ana@example.com', phoneNumber: '+44' };
const session = { startsAt, endsAt, activityId: 'raft', activityName: 'Rafting' };
const shared = { id: 'B1', status: 'Active', contact, pax: 2, notes: 'vegan' };
const current = { ...shared, guests: [guest], bookedSessions: [session] };
const legacy = {
  ...shared,
  startsAt,
  endsAt,
  activities: [{ activity: 'Rafting', activityId: 'raft' }],
  guests: [{ guestId: 'G1', name: 'Ana' }],
};
const waiver = {
  id: 'W',
  pool: 'p',
  bookingId: 'B',
  bookingGuestId: 'G',
  lastVisit: startsAt,
  deleted: false,
  updatedAt: endsAt,
};
const webhookGuest = {
  id: 'W',
  pool: 'p',
  activities: ['Rafting'],
  createdAt: withMilliseconds,
  updatedAt: withMilliseconds,
  lastVisit: withMilliseconds,
  deleted: false,
  feedback: '',
  currentPage: 'done',
  reservationsID: 'B',
  reservationsService: 'standard',
};

describe('the contract’s limits', () => {
  const isBooking = (change: object) => currentBookingSchema.safeParse({ ...current, ...change }).success;
  it.each([
    ['no session', { bookedSessions: [] }],
    [
      'a session whose start has an offset',
      { bookedSessions: [{ ...session, startsAt: '2026-05-01T09:30:00+02:00' }] },
    ],
    ['a session whose end has no zone', { bookedSessions: [{ ...session, endsAt: '2026-05-01T09:30:00' }] }],
  ])('a booking with %s does not conform', (_, change) => {
    expect(isBooking(change)).toBe(false);
  });

  const isLegacy = (change: object) => legacyBookingSchema.safeParse({ ...legacy, ...change }).success;

  it('pax is a whole number, zero or more', () => {
    expect([0, 1, 2 ** 53 - 1, -1, 0.5].map((pax) => isBooking({ pax }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('a legacy guest needs only an id, a legacy activity a name and an id', () => {
    expect(isLegacy({ guests: [{ guestId: 'G1' }] })).toBe(true);
    expect(isLegacy({ guests: [{ name: 'Ana' }] })).toBe(false);
    expect(isLegacy({ activities: [{ activityId: 'raft' }] })).toBe(false);
    expect(isLegacy({ activities: [{ activity: 'Rafting' }] })).toBe(false);
    expect(isLegacy({ activities: [{ activity: 'Rafting', activityId: 'raft', room: 4 }] })).toBe(true);
  });

  it('responses with the wrong value of success are refused', () => {
    expect(installResponseSchema.safeParse({ success: false, message: '' }).success).toBe(false);
    expect(uninstallResponseSchema.safeParse({ success: false, message: '' }).success).toBe(false);
    expect(bookingNotFoundSchema.safeParse({ success: true, message: 'none' }).success).toBe(false);
  });

  it('unknown fields are kept at every level', () => {
    const more = { colour: 'red' };
    const booking = {
      ...current,
      ...more,
      contact: { ...contact, ...more },
      guests: [{ ...guest, ...more }],
      bookedSessions: [{ ...session, ...more }],
    };
    expect(currentBookingSchema.parse(booking)).toEqual(booking);
    expect(bookingSchema.parse(booking)).toEqual(booking);
    expect(waiverSchema.parse({ ...waiver, ...more })).toEqual({ ...waiver, ...more });
    expect(webhookGuestSchema.parse({ ...webhookGuest, ...more })).toEqual({ ...webhookGuest, ...more });
  });

  it('the lists of field names match the bodies, in the contract’s order', () => {
    expect(waiverFieldNames).toEqual(Object.keys(waiver));
    expect(webhookGuestFieldNames).toEqual(Object.keys(webhookGuest));
  });

  it('the times of a webhook guest have milliseconds', () => {
    for (const name of ['createdAt', 'updatedAt', 'lastVisit'])
      expect(webhookGuestSchema.safeParse({ ...webhookGuest, [name]: startsAt }).success, name).toBe(false);
  });

  it('a waiver’s id has 256 bytes at most', () => {
    expect(waiverSchema.safeParse({ ...waiver, id: 'é'.repeat(128) }).success).toBe(true);
    expect(waiverSchema.safeParse({ ...waiver, id: 'é'.repeat(129) }).success).toBe(false);
  });

  it('a webhook guest may have no page and no booking', () => {
    expect(webhookGuestSchema.safeParse({ ...webhookGuest, currentPage: null }).success).toBe(true);
    expect(webhookGuestSchema.safeParse({ ...webhookGuest, reservationsID: null }).success).toBe(true);
    expect(webhookGuestSchema.safeParse({ ...webhookGuest, lastVisit: null }).success).toBe(false);
  });
});

describe('a booking as plugins return it', () => {
  const isAccepted = (change: object) => bookingSchema.safeParse({ ...current, ...change }).success;

  it('has one of the status groups', () => {
    for (const statusGroup of ['active', 'cancelled', 'other'])
      expect(isAccepted({ statusGroup })).toBe(true);
    expect(isAccepted({ statusGroup: '' })).toBe(false);
  });

  it('may have guests without a name and sessions with only a start', () => {
    expect(isAccepted({ guests: [{}], bookedSessions: [{ startsAt }] })).toBe(true);
    expect(isAccepted({ bookedSessions: [{ endsAt, activityId: 'raft', activityName: 'Rafting' }] })).toBe(
      false,
    );
  });

  it('has a session unless it is cancelled', () => {
    expect(isAccepted({ bookedSessions: [], statusGroup: 'cancelled' })).toBe(true);
    for (const statusGroup of ['active', 'other', undefined]) {
      const { error } = bookingSchema.safeParse({ ...current, bookedSessions: [], statusGroup });
      expect(error?.issues).toMatchObject([{ path: ['bookedSessions'] }]);
    }
  });
});

describe('an install request', () => {
  const request = { key: 'k', pool: 'p', accountId: 1, apiKey: 'a' };
  const isAccepted = (change: object) => installRequestSchema.safeParse({ ...request, ...change }).success;

  it('keeps additional account fields, and the type of accountId', () => {
    for (const accountId of [42, '42']) {
      const body = { ...request, accountId, region: 'eu' };
      expect(installRequestSchema.parse(body)).toEqual(body);
    }
  });

  it('has a key of 1 to 512 characters', () => {
    expect(['', 'k', 'k'.repeat(512), 'k'.repeat(513)].map((key) => isAccepted({ key }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('has an API key of 1 to 4096 characters', () => {
    expect(['', 'k', 'k'.repeat(4096), 'k'.repeat(4097)].map((apiKey) => isAccepted({ apiKey }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('has an API key that a header can carry: visible ASCII and spaces, or an integer', () => {
    const visible = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index));
    expect(installRequestSchema.parse({ ...request, apiKey: visible }).apiKey).toBe(visible);
    expect(installRequestSchema.parse({ ...request, apiKey: 7 }).apiKey).toBe('7');
    for (const apiKey of ['a\n', '\ta', 'a\x7f', 'ключ', 7.5, null]) {
      expect(isAccepted({ apiKey }), JSON.stringify(apiKey)).toBe(false);
    }
  });
});

type Body = Readonly<Record<string, unknown>>;

const requiredOf = (schema: z.ZodType, body: Body) =>
  Object.keys(body).filter((name) => !schema.safeParse({ ...body, [name]: undefined }).success);

/** The fields whose values are not checked. */
const uncheckedOf = (schema: z.ZodType, body: Body) =>
  Object.keys(body).filter((name) => schema.safeParse({ ...body, [name]: { any: 'thing' } }).success);

const inCurrent = (part: (body: Body) => Body) => z.any().transform(part).pipe(currentBookingSchema);

// biome-ignore format: a table
const records: [name: string, schema: z.ZodType, body: Body, optional: string[]][] = [
  ['a booking', currentBookingSchema, current, ['notes']],
  ['a legacy booking', legacyBookingSchema, legacy, ['notes']],
  ['a booking as plugins return it', bookingSchema, { ...current, statusGroup: 'active' }, ['notes', 'statusGroup']],
  ['a contact', inCurrent((one) => ({ ...current, contact: one })), contact, ['email', 'phoneNumber']],
  ['a guest', inCurrent((one) => ({ ...current, guests: [one] })), guest, ['id', 'email', 'phoneNumber']],
  ['a session', inCurrent((one) => ({ ...current, bookedSessions: [one] })), session, []],
  ['a waiver', waiverSchema, waiver, ['bookingGuestId']],
  ['a Guest Update', guestUpdateSchema, { waiver }, []],
  ['a guest of the webhook', webhookGuestSchema, webhookGuest, []],
  ['a guest webhook', guestWebhookSchema, { guest: webhookGuest }, []],
  ['an install request', installRequestSchema, { key: 'k', pool: 'p', accountId: 1, apiKey: 'a' }, []],
  ['the response to install', installResponseSchema, { success: true, message: '', webhookUrl: 'https://a.example/h', apiKey: 'k' }, []],
  ['the response to uninstall', uninstallResponseSchema, { success: true, message: '' }, []],
  ['the response to a Guest Update', guestUpdateResponseSchema, { success: false }, []],
  ['a 404 of Booking Details', bookingNotFoundSchema, { success: false, message: 'none' }, []],
];

describe.each(records)('%s', (_name, schema, body, optional) => {
  it('is accepted when complete', () => {
    expect(schema.safeParse(body).error).toBeUndefined();
  });

  it(`requires each of its fields${optional.length === 0 ? '' : ` except ${optional.join(', ')}`}`, () => {
    expect(requiredOf(schema, body)).toEqual(Object.keys(body).filter((name) => !optional.includes(name)));
  });

  it('is refused if a field has the wrong type', () => {
    expect(uncheckedOf(schema, body)).toEqual([]);
  });
});

it('fields whose names do not speak for themselves are described', () => {
  const describedIn = (schema: z.ZodType) =>
    Object.entries(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}).flatMap(([name, field]) =>
      typeof field === 'object' && field.description ? [name] : [],
    );
  expect(describedIn(currentBookingSchema)).toEqual(['id', 'status', 'pax', 'notes']);
  expect(describedIn(installRequestSchema)).toEqual(['key', 'apiKey']);
  expect(describedIn(waiverSchema)).toEqual(['bookingGuestId', 'deleted']);
  expect(describedIn(webhookGuestSchema)).toEqual(['createdAt', 'updatedAt', 'lastVisit']);
  expect(describedIn(contractChoicesSchema)).toContain('pathShape');
});

// These values are stored and are part of the HTTP API: renaming or removing one breaks its readers.
test('published values are neither renamed nor removed', () => {
  expect(bookingForms).toEqual(['current', 'legacy', 'native']);
  expect(statusGroups).toEqual(['active', 'cancelled', 'other']);
  expect(outboundErrorCodes).toEqual([
    'dns_error',
    'connection_refused',
    'connection_reset',
    'timeout',
    'tls_error',
    'redirect',
    'response_too_large',
    'http_status',
    'not_accepted',
    'blocked_address',
  ]);
  expect(warningCodes).toEqual([
    'both_forms',
    'null_as_absent',
    'number_as_string',
    'string_as_number',
    'date_time_rewritten',
    'guest_without_name',
    'session_incomplete',
    'contact_incomplete',
    'value_ignored',
    'characters_lost',
    'text_rewritten',
    'guest_id_repeated',
    'item_skipped',
    'count_disagrees',
    'nobody_expected',
    'unknown_status',
    'id_differs',
    'masked_email',
    'waiver_partly_written',
    'warnings_left_out',
  ]);
});
