import { z } from 'zod';
import { deliveryStateNames } from './names.ts';

/** An address that the service will call. */
export const addressSchema = z.string().min(1).max(2048);

/** The booking system of a booking that a query names. */
export const chosenSystemSchema = z
  .string()
  .max(100)
  .optional()
  .describe('Install name; the pool’s default booking system if omitted.');

/** The response of a 204: it has no body. */
export const noContentSchema = z.null().describe('The request succeeded. The response has no body.');

/** The response of a public route that needs the database, for the OpenAPI document. */
export const unavailableResponse = {
  503: 'The database is temporarily unavailable: repeat the request. See Retry-After.',
};

/** Marks a response without guests' data. */
export const redactedSchema = z.literal(true).optional().describe('Present if the guests’ data is left out.');

export const deliveryKindSchema = z
  .enum(['guest-update', 'guest-webhook', 'alert', 'invitation'])
  .meta({ id: 'DeliveryKind' });

export const deliveryStateSchema = z.enum(deliveryStateNames).meta({ id: 'DeliveryState' });
