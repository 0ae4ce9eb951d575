import { z } from 'zod';
import { installNameSchema } from '../identifiers.ts';
import { statusGroups } from '../resources/booking.ts';
import { capabilitiesSchema } from './capabilities.ts';

/** The version of the plugin interface that this package defines. */
export const specificationVersion = 'v1';

/** Every version of the plugin interface that the host can load. */
export const supportedSpecificationVersions: readonly string[] = [specificationVersion];

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'an HTTP header name');

/** What the host reads of a plugin before it uses it: plain data, checked at start. */
export const manifestSchema = z.object({
  specificationVersion: z.literal(specificationVersion),
  installName: installNameSchema,
  displayName: z.string().min(1).max(100),
  authHeaderName: headerName.describe(
    'The header that carries the API key when a booking is read (contract 5).',
  ),
  guestUpdateAuthHeaderName: headerName.describe(
    'The header that carries it in Guest Update; `API-key` by the contract.',
  ),
  pathShape: z
    .enum(['path', 'query'])
    .describe(
      '`{booking_api}/bookings/{booking_id}` or `{booking_api}/bookings?id={booking_id}` (contract 4.1).',
    ),
  guestId: z
    .enum(['booking-guest-id', 'waiver-id', 'none'])
    .describe(
      'What fills `{url_encoded_id}` of Guest Update: the guest id where known, else the waiver id; always the waiver id; nothing.',
    ),
  writeUnit: z
    .enum(['waiver', 'booking'])
    .describe('What goes out one at a time: `booking` for a system that reads before it writes.'),
  capabilities: capabilitiesSchema,
  statusMap: z
    .record(z.string(), z.enum(statusGroups))
    .optional()
    .describe('What each of the booking system’s statuses means.'),
});

/** See {@link manifestSchema}. */
export type BookingSystemManifest = z.infer<typeof manifestSchema>;
