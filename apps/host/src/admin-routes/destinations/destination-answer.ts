import type { DestinationItem } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import { deliveryKindSchema } from '../../http/delivery-fields.ts';

/** The installation or webhook of a destination; neither is there once it is removed. */
export const ownerFields = {
  bookingSystem: z.string().optional().describe('The install name, if the destination is an installation.'),
  webhook: z
    .object({ id: z.string(), url: z.string() })
    .optional()
    .describe('The webhook’s id and URL, if the destination is one.'),
};

/** The {@link ownerFields} of a destination, or of a delivery to it. */
export function ownerAnswer({ bookingSystem, webhook }: Pick<DestinationItem, 'bookingSystem' | 'webhook'>) {
  return {
    ...(bookingSystem === null ? {} : { bookingSystem }),
    ...(webhook === null ? {} : { webhook: { ...webhook } }),
  };
}

/** A destination. */
export const destinationSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    pool: z.string(),
    ...ownerFields,
    status: z.enum(['active', 'paused', 'closed']),
    installationStatus: z
      .enum(['active', 'pending', 'needs_attention'])
      .optional()
      .describe('The status of the installation, if it is one.'),
    consecutiveFailures: z.int(),
    firstFailureAt: dateTimeSchema.optional(),
    heldUntil: dateTimeSchema
      .optional()
      .describe(
        'Nothing is sent to it before this time, because of its `Retry-After`, unless it is resumed.',
      ),
    waiting: z.int().describe('The number of waiting messages.'),
    oldestWaitingAt: dateTimeSchema.optional(),
  })
  .meta({ id: 'Destination' });

/** A destination as an answer has it. */
export function destinationAnswer(item: DestinationItem): z.infer<typeof destinationSchema> {
  const { id, kind, pool, status, consecutiveFailures, firstFailureAt, heldUntil } = item;
  const { installationStatus, waiting, oldestWaitingAt } = item;
  return {
    id,
    kind,
    pool,
    ...ownerAnswer(item),
    status,
    ...(installationStatus === null ? {} : { installationStatus }),
    consecutiveFailures,
    ...(firstFailureAt ? { firstFailureAt: toDateTime(firstFailureAt) } : {}),
    ...(heldUntil ? { heldUntil: toDateTime(heldUntil) } : {}),
    waiting,
    ...(oldestWaitingAt ? { oldestWaitingAt: toDateTime(oldestWaitingAt) } : {}),
  };
}
