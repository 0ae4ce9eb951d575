import { z } from 'zod';

/** The forms a booking can come in: the contract's two, or a vendor's own. */
export const bookingForms = ['current', 'legacy', 'native'] as const;
/** One of {@link bookingForms}. */
export type BookingForm = (typeof bookingForms)[number];

/**
 * What a plugin says it can do. The contract suite skips by this alone, so a plugin cannot hide a failure from
 * the suite without telling its users.
 */
export const capabilitiesSchema = z.object({
  forms: z.array(z.enum(bookingForms)).min(1).describe('The forms of a booking that it reads.'),
  guestUpdate: z.boolean().describe('Whether the booking system takes signed waivers back.'),
  takes: z
    .array(z.enum(['waiver', 'fields', 'notes', 'files']))
    .describe(
      'What a Guest Update may leave there: the contract’s waiver, or a vendor’s fields, notes or files.',
    ),
  void: z.boolean().describe('Whether a voided waiver is removed there.'),
  inbound: z
    .enum(['contract', 'native', 'none'])
    .describe(
      'Whether it calls us about changed bookings: by the contract’s body, by its own, or not at all.',
    ),
  requestLimit: z
    .object({ requests: z.int().min(1), perSeconds: z.number().positive() })
    .optional()
    .describe('Most requests the booking system allows one account in a time.'),
});

/** See {@link capabilitiesSchema}. */
export type Capabilities = z.infer<typeof capabilitiesSchema>;
