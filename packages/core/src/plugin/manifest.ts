import { z } from 'zod';
import { installNameSchema } from '../identifiers.ts';
import { statusGroups } from '../resources/booking.ts';

/** The forms of a booking: the contract's two, or a vendor's own. */
export const bookingForms = ['current', 'legacy', 'native'] as const;
/** One of {@link bookingForms}. */
export type BookingForm = (typeof bookingForms)[number];

const dayMs = 86_400_000;

const requestWindowSchema = z.object({
  requests: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('Maximum number of requests in any window of this length.'),
  windowMs: z.int().min(1_000).max(dayMs).describe('The length of the window, in milliseconds.'),
});

/** Whether every longer window allows more requests; otherwise one of them would have no effect. */
const allowMoreIfLonger = (windows: readonly z.infer<typeof requestWindowSchema>[]) =>
  windows
    .toSorted((one, other) => one.windowMs - other.windowMs)
    .every(({ windowMs, requests }, place, sorted) => {
      const shorter = sorted[place - 1];
      return shorter === undefined || (windowMs > shorter.windowMs && requests > shorter.requests);
    });

/** How many HTTP requests a booking system accepts. All windows apply at once, and every request counts. */
export const requestLimitsSchema = z.object({
  per: z
    .enum(['installation', 'booking-system'])
    .describe(
      'Who shares the limits: each installation has its own (the vendor counts by account), or all installations of the booking system share them (the vendor counts by partner).',
    ),
  windows: z
    .array(requestWindowSchema)
    .min(1)
    .max(4)
    .refine(
      allowMoreIfLonger,
      'windows of different lengths, a longer one with more requests than a shorter one',
    )
    .describe('Windows of time with a maximum number of requests each. All apply at once.'),
});

/** See {@link requestLimitsSchema}. */
export type RequestLimits = z.infer<typeof requestLimitsSchema>;

/**
 * The capabilities that a plugin declares. Only they make the contract suite skip tests, so a plugin cannot hide a
 * failure from the suite without declaring it to its users.
 */
export const capabilitiesSchema = z.object({
  forms: z.array(z.enum(bookingForms)).min(1).describe('The booking forms that the plugin reads.'),
  guestUpdate: z.boolean().describe('Whether the booking system accepts signed waivers.'),
  takes: z
    .array(z.enum(['waiver', 'fields', 'notes', 'files']))
    .describe(
      'Where a Guest Update is stored: as the contract’s waiver, or in the fields of the guest that it names, in notes or in files of a vendor’s API. With `files`, `pushWaiver` gets the signed document where an operator allows it.',
    ),
  void: z.boolean().describe('Whether a voided waiver is removed from the booking system.'),
  inbound: z
    .enum(['contract', 'native', 'none'])
    .describe(
      'Whether the booking system calls the host when a booking changes: with the contract’s body, with its own, or not at all.',
    ),
  inboundAddress: z
    .enum(['installation', 'shared'])
    .optional()
    .describe(
      'Whether each installation has its own webhook URL (the default), or all accounts share one and each call names its account.',
    ),
  aliases: z
    .boolean()
    .optional()
    .describe(
      'Whether a booking can be read by several ids. The `id` of the returned booking is its own; the others are kept as its aliases.',
    ),
  environments: z
    .array(z.enum(['live', 'test']))
    .min(1)
    .max(2)
    .optional()
    .describe('The environments that an installation may use; `url` and `headers` get the chosen one.'),
  lists: z
    .boolean()
    .optional()
    .describe('Whether the booking system lists bookings by the times of their sessions.'),
  changes: z
    .object({
      pollEveryMs: z
        .int()
        .min(60_000)
        .max(dayMs)
        .optional()
        .describe(
          'Milliseconds between polls by the host. If omitted, the host asks only when a webhook call says that earlier calls were lost.',
        ),
    })
    .optional()
    .describe('Present if the booking system can report which bookings have changed.'),
  checksAccess: z.boolean().optional().describe('Whether the plugin can check an account without a booking.'),
  permissions: z
    .array(z.string().min(1).max(100))
    .max(20)
    .optional()
    .describe(
      'Boolean account fields that permit potentially harmful writes, such as issuing new tickets to guests. Only an operator sets one to true, and `pushWaiver` may withdraw it.',
    ),
  requestLimits: requestLimitsSchema.optional().describe('The booking system’s rate limits.'),
});

/** See {@link capabilitiesSchema}. */
export type Capabilities = z.infer<typeof capabilitiesSchema>;

/** The version of the plugin interface that this package defines. */
export const specificationVersion = 'v1';

/** The versions of the plugin interface that the host can load. */
export const supportedSpecificationVersions: readonly string[] = [specificationVersion];

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'an HTTP header name');

/** The choices that the contract leaves to a booking system. */
export const contractChoicesSchema = z.object({
  authHeaderName: headerName.describe(
    'The header that carries the API key when a booking is read (contract 5). Default: `api-key`; with `session`, `Authorization`.',
  ),
  guestUpdateAuthHeaderName: headerName.describe(
    'The header that carries the API key in Guest Update. Default: `API-key`; with `session`, `Authorization`.',
  ),
  pathShape: z
    .enum(['path', 'query'])
    .describe(
      '`{booking_api}/bookings/{booking_id}` or `{booking_api}/bookings?id={booking_id}` (contract 4.1).',
    ),
  guestId: z
    .enum(['booking-guest-id', 'waiver-id', 'none'])
    .describe(
      'The `{url_encoded_id}` of Guest Update: the guest id if known, else the waiver id; always the waiver id; or nothing (contract 4.2).',
    ),
});

/** See {@link contractChoicesSchema}. */
export type ContractChoices = z.infer<typeof contractChoicesSchema>;

/** How much of the real booking system a plugin has met: its documents, recorded responses, or a live account. */
export const pluginTierSchema = z.union(
  [z.enum(['documents', 'recorded']), z.strictObject({ liveSince: z.iso.date() })],
  'must be "documents", "recorded", or {"liveSince": "YYYY-MM-DD"}',
);

/** See {@link pluginTierSchema}. */
export type PluginTier = z.infer<typeof pluginTierSchema>;

/** The declarative part of a plugin, validated by the host at startup. */
export const manifestSchema = z.object({
  specificationVersion: z
    .literal(specificationVersion)
    .describe('The version of this interface. `defineBookingSystem` adds it.'),
  installName: installNameSchema.describe(
    'The name in the path of install, and the end of the package’s name.',
  ),
  displayName: z.string().min(1).max(100).describe('The name shown to people.'),
  contract: contractChoicesSchema
    .optional()
    .describe(
      'For a booking system that follows the contract: how its two endpoints are called. Omit for a vendor’s API, which `fetchBooking` and `pushWaiver` call.',
    ),
  writeUnit: z
    .enum(['waiver', 'booking'])
    .describe(
      'The unit whose Guest Updates are sent one at a time: `booking` for a system that must be read before it is written. Default: `booking` if it takes notes, otherwise `waiver`.',
    ),
  capabilities: capabilitiesSchema,
  accountIdField: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The field of `accountSchema` by which the vendor names an account, if it is not `accountId`. An operator who installs it need not give an `accountId`: it is this field’s value.',
    ),
  statusMap: z
    .record(z.string(), z.enum(statusGroups))
    .optional()
    .describe('What each of the booking system’s statuses means. Adds `statusGroup` to a booking.'),
  tier: pluginTierSchema
    .optional()
    .describe(
      'Whether the plugin was made from the vendor’s documents only (the default), has been corrected by responses recorded from a real account, or is in use with one since a day.',
    ),
});

/** See {@link manifestSchema}. */
export type BookingSystemManifest = z.infer<typeof manifestSchema>;

/**
 * The id under which a booking system stores a waiver. With `booking-guest-id`, a waiver that moves to another guest of
 * its booking is withdrawn from the previous one.
 */
export function storedGuestId({
  contract,
  capabilities,
}: Pick<BookingSystemManifest, 'contract' | 'capabilities'>): ContractChoices['guestId'] {
  return contract?.guestId ?? (capabilities.takes.includes('fields') ? 'booking-guest-id' : 'none');
}
