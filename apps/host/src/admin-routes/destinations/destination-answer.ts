import type { DestinationItem } from '@waiver-service/store';
import { z } from 'zod';
import { dateTimeSchema } from '../../http/date-time.ts';
import { deliveryKindSchema } from '../../http/delivery-fields.ts';

/** The installation or webhook of a destination; absent once that is removed. */
export const ownerFields = {
  bookingSystem: z.string().optional().describe('The install name, if the destination is an installation.'),
  webhook: z
    .object({ id: z.string(), url: z.string() })
    .optional()
    .describe('The id and URL of the webhook, if the destination is a webhook.'),
};

export function ownerAnswer({ bookingSystem, webhook }: Pick<DestinationItem, 'bookingSystem' | 'webhook'>) {
  return { bookingSystem: bookingSystem ?? undefined, webhook: webhook ?? undefined };
}

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
      .describe('The status of the installation, if the destination is an installation.'),
    consecutiveFailures: z.int(),
    firstFailureAt: dateTimeSchema.optional(),
    heldUntil: dateTimeSchema
      .optional()
      .describe(
        'The time until which nothing is sent, because of a `Retry-After` or a lost authorization, unless the destination is resumed.',
      ),
    waiting: z.int().describe('The number of waiting messages.'),
    oldestWaitingAt: dateTimeSchema.optional(),
  })
  .meta({ id: 'Destination' });

export const destinationAnswer = (item: DestinationItem): z.input<typeof destinationSchema> => ({
  ...item,
  ...ownerAnswer(item),
  installationStatus: item.installationStatus ?? undefined,
});
