import {
  bookedSessionSchema,
  bookingNotFoundSchema,
  bookingSchema,
  capabilitiesSchema,
  contactSchema,
  currentBookingSchema,
  guestSchema,
  guestUpdateResponseSchema,
  guestUpdateSchema,
  guestWebhookSchema,
  installRequestSchema,
  installResponseSchema,
  legacyBookingSchema,
  requestLimitsSchema,
  uninstallResponseSchema,
  waiverSchema,
  webhookGuestSchema,
} from '@waiver-service/core';
import { z } from 'zod';

/** The body of every error response. */
const problemSchema = z.object({
  success: z.literal(false),
  message: z.string().describe('Description of the error, for people.'),
  code: z.string().describe('Kind of error, for programs.'),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('The faults of a malformed body, query or path.'),
});

const named = {
  Problem: problemSchema,
  Contact: contactSchema,
  BookedSession: bookedSessionSchema,
  Guest: guestSchema,
  ContractBooking: currentBookingSchema,
  LegacyBooking: legacyBookingSchema,
  BookingNotFound: bookingNotFoundSchema,
  Booking: bookingSchema,
  Capabilities: capabilitiesSchema,
  RequestLimits: requestLimitsSchema,
  Waiver: waiverSchema,
  GuestUpdate: guestUpdateSchema,
  GuestUpdateAnswer: guestUpdateResponseSchema,
  WebhookGuest: webhookGuestSchema,
  GuestWebhook: guestWebhookSchema,
  InstallRequest: installRequestSchema,
  InstallAnswer: installResponseSchema,
  UninstallAnswer: uninstallResponseSchema,
};

/** Gives the contract's resources the names by which the OpenAPI document refers to them. */
export function nameComponents(): void {
  for (const [id, schema] of Object.entries(named)) {
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  }
}

/** A reference to a named component. */
export const componentReference = (name: keyof typeof named) => ({ $ref: `#/components/schemas/${name}` });
