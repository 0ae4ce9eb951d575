import { z } from 'zod';
import { shownSessionSchema } from './bookings.ts';
import { dateTimeSchema } from './date-time.ts';
import { publishedFormSchema } from './forms.ts';
import { route } from './route.ts';

export const sealingSchema = z
  .object({ id: z.string(), publicKey: z.string() })
  .describe('The public key with which the page seals (encrypts) a signing that has to wait on the device.');

export const checkInSessionSchema = z.object({
  pool: z.object({ name: z.string() }),
  link: z.object({ kind: z.enum(['booking', 'guest', 'desk']), expiresAt: dateTimeSchema.nullable() }),
  booking: z
    .object({
      reference: z.string(),
      sessions: z.array(shownSessionSchema),
      pax: z.int().nullable(),
      signed: z.int(),
    })
    .nullable()
    .describe(
      'null for a desk link. While the booking system is unavailable, `sessions` is empty and `pax` null.',
    ),
  guests: z
    .array(
      z.object({
        bookingGuestId: z.string(),
        label: z.string().describe('First name and last initial; empty if the guest has no name.'),
        signed: z.boolean(),
        prefill: z
          .record(z.string(), z.unknown())
          .optional()
          .describe(
            'What the booking says about the guest, to fill in the form. Only on a link to this guest.',
          ),
      }),
    )
    .describe('The guests of the booking who have an id; on a link to one guest, only that guest.'),
  day: z.object({ date: z.string(), activities: z.array(z.string()), timeZone: z.string() }),
  form: publishedFormSchema,
  sealing: sealingSchema,
  returning: z
    .enum(['known', 'code'])
    .nullable()
    .describe(
      'How an earlier signing can be confirmed: `known`, by the guest of the link; `code`, by a guest who proves an e-mail address with a code; null if not at all.',
    ),
});

/** The 401 of routes that take a link's token, for the OpenAPI document. */
export const linkProblem =
  'The link is unknown (`link_unknown`), was revoked (`link_revoked`) or has expired (`link_expired`).';

/** What routes that take from {@link GuestBudgets} say about their 429. */
export const budgetProblem =
  'Too many wrong links, credentials, keys or envelopes from this address (`too_many_failures`), or too many requests or bytes by this link (`too_many_by_link`), from this address (`too_many_from_address`) or in the pool (`too_many_in_pool`), also in a day (`link_day_full`, `pool_day_full`). See Retry-After.';

/** The same for routes that also take turns and a share of the pool's bodies. */
export const poolBusyProblem = `Too much in the pool at the same time (\`pool_busy\`). ${budgetProblem}`;

export const readCheckInSession = route.get('/check-in/api/session', {
  config: {
    access: 'check-in-link',
    problems: {
      401: linkProblem,
      404: 'The booking no longer exists (`booking_not_found`), or the pool has no form for it (`no_form`).',
      409: 'The booking was cancelled (`booking_cancelled`).',
      429: poolBusyProblem,
    },
  },
  operationId: 'readCheckInSession',
  tags: ['Check-in'],
  summary: 'Read the booking, guests and form of a check-in link',
  description: 'Takes the token of the link as the bearer token.',
  response: { 200: checkInSessionSchema },
});
