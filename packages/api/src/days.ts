import { statusGroups } from '@waiver-service/core';
import { z } from 'zod';
import { shownSessionSchema } from './bookings.ts';
import { dateTimeSchema, pathParameters, redactedSchema, waiverParamsSchema } from './fields.ts';
import { route } from './route.ts';
import { erasedResponse } from './waivers.ts';

const storedSchema = z.null().describe('Stored.');

const arrived = z.boolean().describe('Whether to record the arrival; `false` undoes it.');

export const putBookingArrivals = route.put(
  '/v1/admin/pools/:pool/days/:date/bookings/:booking_id/arrivals',
  {
    config: { access: 'operator' },
    operationId: 'putBookingArrivals',
    summary: 'Record that guests of a booking have arrived',
    description:
      'Records or undoes arrivals. A repeated call keeps the first time and person. Sends nothing to the booking system.',
    body: z.strictObject({
      bookingSystem: z.string().min(1).max(100).describe('Install name of the booking system.'),
      guests: z
        .array(z.string().regex(/^((guest|waiver):.{1,256}|place:[1-9]\d{0,4})$/s, 'a `key` of the day'))
        .min(1)
        .max(1_000)
        .describe('Keys of the guests, as returned with the day.'),
      arrived,
    }),
    response: { 204: storedSchema },
  },
);

export const putWaiverArrival = route.put('/v1/admin/pools/:pool/days/:date/waivers/:id/arrival', {
  config: { access: 'operator', problems: erasedResponse },
  operationId: 'putWaiverArrival',
  summary: 'Record that the guest of a waiver has arrived',
  description:
    'Records or undoes the arrival of a walk-in. A repeated call keeps the first time and person. Sends nothing to a booking system.',
  params: waiverParamsSchema.extend({ date: pathParameters.date }),
  body: z.strictObject({ arrived }),
  response: { 204: storedSchema },
});

const arrivalSchema = z
  .object({
    at: dateTimeSchema,
    by: z
      .string()
      .describe('Who recorded the arrival: a name or, without one, the actor as in the audit log.'),
  })
  .meta({ id: 'Arrival' });

/** `begun`: the first pages of a form with several are stored. */
export const signingStates = ['signed', 'begun', 'missing'] as const;

export const dayGuestSchema = z
  .object({
    key: z.string().describe('Identifies the guest when arrivals are recorded.'),
    placeKey: z
      .string()
      .optional()
      .describe(
        'For an `extra` guest who takes the place of an unnamed guest: the key of that place. To undo the arrival, send both keys.',
      ),
    kind: z
      .enum(['listed', 'extra', 'unnamed'])
      .describe(
        '`listed`: named by the booking. `extra`: signed for the booking, which does not name the guest. `unnamed`: expected, but not named by the booking.',
      ),
    bookingGuestId: z.string().optional(),
    name: z.string().optional(),
    waiverId: z.string().optional(),
    state: z
      .enum(signingStates)
      .describe('`begun`: the first pages of the form are filled in, but the form is not signed yet.'),
    validUntil: z.iso
      .date()
      .optional()
      .describe('Last day of a `missing` guest’s waiver that expires before the visit.'),
    flags: z
      .array(z.string())
      .describe('Labels of flagged answers, for staff; never the answers themselves.'),
    arrival: arrivalSchema.nullable(),
  })
  .meta({ id: 'DayGuest' });

/** A person who is expected on a day, or who has arrived. */
export type DayGuest = Readonly<z.input<typeof dayGuestSchema>>;

export const dayBookingSchema = z
  .object({
    bookingSystem: z.string(),
    bookingId: z.string(),
    reference: z.string().describe('The booking’s id, as the booking system shows it.'),
    status: z
      .string()
      .nullable()
      .describe('Booking status, as the booking system names it; null until the booking has been read.'),
    statusGroup: z.enum(statusGroups).nullable(),
    isCancelled: z
      .boolean()
      .describe(
        'Whether the booking is cancelled, by its `statusGroup` or, without one, by the wording of its `status`.',
      ),
    booker: z.string().nullable().describe('The contact’s name; null for a viewer.'),
    notes: z.string().nullable().describe('The booking’s notes; null for a viewer.'),
    sessions: z.array(shownSessionSchema).describe('The sessions of the booking on this day.'),
    guests: z.array(dayGuestSchema).nullable().describe('The guests of the booking; null for a viewer.'),
    signed: z
      .int()
      .describe(
        'Number of expected guests who have signed. An `extra` guest counts in place of an unnamed guest, never in place of a `listed` one.',
      ),
    expected: z.int().describe('Number of expected guests: `pax`, or more if the booking names more guests.'),
    arrived: z.int(),
    fetchedAt: dateTimeSchema
      .nullable()
      .describe('When the booking system returned the booking; null if that is more than 24 hours ago.'),
  })
  .meta({ id: 'DayBooking' });

export const walkInSchema = dayGuestSchema
  .omit({ kind: true, placeKey: true, bookingGuestId: true, validUntil: true })
  .required({ waiverId: true })
  .extend({
    signedAt: dateTimeSchema,
    signing: z
      .string()
      .nullable()
      .describe('Id of the signing, which guests who signed together share; null if there is none.'),
  })
  .meta({ id: 'WalkIn' });

/** A guest who has signed without a booking. */
export type WalkIn = Readonly<z.input<typeof walkInSchema>>;

const countsSchema = z.object({
  bookings: z.int(),
  guests: z.int().describe('Number of expected guests, including walk-ins.'),
  signed: z.int(),
  missing: z.int(),
  arrived: z.int(),
});

export const daySourceSchema = z
  .object({
    bookingSystem: z.string(),
    displayName: z.string(),
    lists: z
      .boolean()
      .describe(
        'Whether the booking system lists bookings. If not, the day has only bookings that were read one by one.',
      ),
    readAt: dateTimeSchema
      .nullable()
      .describe('When the booking system last listed the bookings of this day; null if it never has.'),
    isReading: z.boolean(),
    problem: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why the last read failed; null if it succeeded.'),
    unreadable: z.int().describe('Number of listed bookings that could not be read.'),
    isCut: z
      .boolean()
      .describe('Whether the booking system has more bookings than were read; at most 1,000 are read.'),
  })
  .meta({ id: 'DaySource' });

/** The response of `GET …/days/{date}`. */
export const daySchema = z
  .object({
    pool: z.string(),
    date: z.iso.date(),
    timeZone: z.string(),
    today: z.iso.date().describe('Today’s date in the pool’s time zone.'),
    hasForm: z.boolean().describe('Whether the pool has a published form, so that guests can sign.'),
    redacted: redactedSchema,
    counts: countsSchema.describe('Totals of the day, without cancelled bookings.'),
    groups: z
      .array(
        shownSessionSchema
          .extend({
            bookings: z.array(z.int()).describe('Indexes of the group’s bookings in `bookings`, from 0.'),
          })
          .meta({ id: 'DayGroup' }),
      )
      .describe(
        'Bookings grouped by start and activity, in this order. A booking is in the group of each of its sessions.',
      ),
    bookings: z.array(dayBookingSchema),
    walkIns: z
      .array(walkInSchema)
      .nullable()
      .describe('Guests who signed without a booking; null for a viewer.'),
    isCut: z
      .boolean()
      .describe('Whether the day has more than 1,000 bookings or 500 walk-ins; the rest are not returned.'),
    sources: z.array(daySourceSchema),
  })
  .meta({ id: 'Day' });

export const readDay = route.get('/v1/admin/pools/:pool/days/:date', {
  config: { access: 'viewer', audited: true },
  operationId: 'readDay',
  summary: 'Read a day: its bookings, who has signed, and who has arrived',
  description:
    'Returns what is stored, without waiting for a booking system. In the background, the installed booking systems are queried for the bookings of the day, at most every three minutes for all callers together, and sooner after a failure; see `sources`. Bookings are kept until two days after their last session.',
  response: { 200: daySchema },
});
