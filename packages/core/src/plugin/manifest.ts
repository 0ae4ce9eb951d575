import { z } from 'zod';
import { installNameSchema } from '../identifiers.ts';
import { statusGroups } from '../resources/booking.ts';
import { capabilitiesSchema } from './capabilities.ts';

/** The version of the plugin interface that this package defines. */
export const specificationVersion = 'v1';

/** The versions of the plugin interface that the host can load. */
export const supportedSpecificationVersions: readonly string[] = [specificationVersion];

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'an HTTP header name');

/** The declarative part of a plugin, validated by the host at startup. */
export const manifestSchema = z.object({
  specificationVersion: z.literal(specificationVersion),
  installName: installNameSchema,
  displayName: z.string().min(1).max(100),
  authHeaderName: headerName.describe(
    'The header that carries the API key when a booking is read (contract 5).',
  ),
  guestUpdateAuthHeaderName: headerName.describe(
    'The header that carries the API key in Guest Update; `API-key` in the contract.',
  ),
  pathShape: z
    .enum(['path', 'query'])
    .describe(
      '`{booking_api}/bookings/{booking_id}` or `{booking_api}/bookings?id={booking_id}` (contract 4.1).',
    ),
  guestId: z
    .enum(['booking-guest-id', 'waiver-id', 'none'])
    .describe(
      'The `{url_encoded_id}` of Guest Update: the guest id if known, else the waiver id; always the waiver id; or nothing.',
    ),
  writeUnit: z
    .enum(['waiver', 'booking'])
    .describe('The unit whose writes are serialized: `booking` for a system that reads before it writes.'),
  capabilities: capabilitiesSchema,
  statusMap: z
    .record(z.string(), z.enum(statusGroups))
    .optional()
    .describe('The meaning of each of the booking system’s statuses.'),
});

/** See {@link manifestSchema}. */
export type BookingSystemManifest = z.infer<typeof manifestSchema>;
