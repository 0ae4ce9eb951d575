import { deliveryStateNames } from '@waiver-service/store';
import { z } from 'zod';

export const deliveryKindSchema = z
  .enum(['guest-update', 'guest-webhook', 'alert', 'invitation'])
  .meta({ id: 'DeliveryKind' });

export const deliveryStateSchema = z.enum(deliveryStateNames).meta({ id: 'DeliveryState' });
