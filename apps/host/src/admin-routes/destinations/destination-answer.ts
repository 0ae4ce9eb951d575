import type { destinationSchema } from '@waiver-service/api';
import type { DestinationItem } from '@waiver-service/store';
import type { z } from 'zod';

export function ownerAnswer({ bookingSystem, webhook }: Pick<DestinationItem, 'bookingSystem' | 'webhook'>) {
  return { bookingSystem: bookingSystem ?? undefined, webhook: webhook ?? undefined };
}

export const destinationAnswer = (item: DestinationItem): z.input<typeof destinationSchema> => ({
  ...item,
  ...ownerAnswer(item),
  installationStatus: item.installationStatus ?? undefined,
});
