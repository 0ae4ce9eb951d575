import { z } from 'zod';
import { utcDateTimeSchema } from '../date-time.ts';

/** The main guest or booker (contract 2.2). */
export const contactSchema = z.looseObject({
  name: z.string().describe('The main guest or booker.'),
  email: z.string().optional(),
  phoneNumber: z.string().optional(),
});

/** One booked activity and its time (contract 2.3). */
export const bookedSessionSchema = z.looseObject({
  startsAt: utcDateTimeSchema,
  endsAt: utcDateTimeSchema,
  activityId: z.string(),
  activityName: z.string(),
});

/** A guest inside a booking (contract 2.4). `guestId` is the legacy name of `id`. */
export const guestSchema = z.looseObject({
  id: z.string().optional(),
  name: z.string().describe('The guest’s name, used to pre-fill the waiver.'),
  email: z.string().optional(),
  phoneNumber: z.string().optional(),
});

const bookingFields = {
  id: z.string().describe('Booking identifier.'),
  status: z.string().describe('Booking status, as the booking system names it.'),
  contact: contactSchema,
  pax: z.int().min(0).describe('Number of guests expected to check in.'),
  notes: z.string().optional().describe('Notes on the booking. They extend the properties of each guest.'),
};

/** The body of Booking Details in its current form, strictly as in the contract (2.1). */
export const currentBookingSchema = z.looseObject({
  ...bookingFields,
  guests: z.array(guestSchema),
  bookedSessions: z.array(bookedSessionSchema).min(1),
});

/** The body of Booking Details in its deprecated legacy form (contract 9). */
export const legacyBookingSchema = z.looseObject({
  ...bookingFields,
  startsAt: utcDateTimeSchema,
  endsAt: utcDateTimeSchema,
  activities: z.array(z.looseObject({ activity: z.string(), activityId: z.string() })),
  guests: z.array(guestSchema.partial().extend({ guestId: z.string() })),
});

/** The body of a 404 of Booking Details (contract 7). */
export const bookingNotFoundSchema = z.looseObject({ success: z.literal(false), message: z.string() });

/** The meaning that a plugin's `statusMap` gives to a partner's status. */
export const statusGroups = ['active', 'cancelled', 'other'] as const;
/** One of {@link statusGroups}. */
export type StatusGroup = (typeof statusGroups)[number];

/**
 * A booking as plugins return it: the contract's current form, except that a partner may have omitted some fields. A
 * session always has `startsAt`; a guest may lack a name, but a name is never made up. Only a cancelled booking may
 * have no sessions: some vendors remove them on cancellation.
 */
export const bookingSchema = z
  .looseObject({
    ...bookingFields,
    statusGroup: z.enum(statusGroups).optional(),
    guests: z.array(guestSchema.partial()),
    bookedSessions: z.array(bookedSessionSchema.partial().required({ startsAt: true })),
  })
  .refine(({ statusGroup, bookedSessions }) => bookedSessions.length > 0 || statusGroup === 'cancelled', {
    path: ['bookedSessions'],
    message: 'needs at least one session, unless the booking is cancelled',
  });

/** See {@link bookingSchema}. */
export type Booking = z.infer<typeof bookingSchema>;
/** See {@link contactSchema}. */
export type Contact = z.infer<typeof contactSchema>;
/** A session as plugins return it: only `startsAt` is guaranteed. */
export type BookedSession = Booking['bookedSessions'][number];
/** A guest as plugins return it: `id` is the booking system's guest id, if it has one. */
export type Guest = Booking['guests'][number];
/** See {@link legacyBookingSchema}. */
export type LegacyBooking = z.infer<typeof legacyBookingSchema>;
