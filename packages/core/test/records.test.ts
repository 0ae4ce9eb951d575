import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
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
  uninstallResponseSchema,
  waiverSchema,
  webhookGuestSchema,
} from '../src/index.ts';
import { contact, current, guest, legacy, session, waiver, webhookGuest } from './bodies.ts';

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
