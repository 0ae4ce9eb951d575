import { z } from 'zod';

/** The forms a booking can come in: the contract's two, or a vendor's own. */
export const bookingForms = ['current', 'legacy', 'native'] as const;
/** One of {@link bookingForms}. */
export type BookingForm = (typeof bookingForms)[number];

/**
 * The capabilities that a plugin declares. The contract suite skips tests by them alone, so a plugin cannot hide a
 * failure from the suite without also declaring it to its users.
 */
export const capabilitiesSchema = z.object({
  forms: z.array(z.enum(bookingForms)).min(1).describe('The booking forms that it reads.'),
  guestUpdate: z.boolean().describe('Whether the booking system accepts signed waivers.'),
  takes: z
    .array(z.enum(['waiver', 'fields', 'notes', 'files']))
    .describe(
      'Where a Guest Update is stored: as the contract’s waiver, or in a vendor’s fields, notes or files.',
    ),
  void: z.boolean().describe('Whether a voided waiver is removed there.'),
  inbound: z
    .enum(['contract', 'native', 'none'])
    .describe(
      'Whether it notifies us of changed bookings: with the contract’s body, with its own, or not at all.',
    ),
  requestLimit: z
    .object({ requests: z.int().min(1), perSeconds: z.number().positive() })
    .optional()
    .describe('The booking system’s rate limit per account.'),
});

/** See {@link capabilitiesSchema}. */
export type Capabilities = z.infer<typeof capabilitiesSchema>;
