import { deliveryStateNames } from '@waiver-service/store';
import { z } from 'zod';

/** The kind of recipient. */
export const deliveryKindSchema = z.enum(['guest-update', 'guest-webhook', 'alert']);

/** The state of a delivery. */
export const deliveryStateSchema = z.enum(deliveryStateNames);
