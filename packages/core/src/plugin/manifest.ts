import { z } from 'zod';
import { installNameSchema } from '../identifiers.ts';
import { statusGroups } from '../resources/booking.ts';
import { capabilitiesSchema } from './capabilities.ts';

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
      'The unit whose Guest Updates are sent one at a time: `booking` for a system that must be read before it is written. Default: `waiver`.',
    ),
  capabilities: capabilitiesSchema,
  statusMap: z
    .record(z.string(), z.enum(statusGroups))
    .optional()
    .describe('What each of the booking system’s statuses means. Adds `statusGroup` to a booking.'),
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
