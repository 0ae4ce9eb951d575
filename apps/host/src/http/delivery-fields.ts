import { deliveryStateNames } from '@waiver-service/store';
import { z } from 'zod';

/** Whom a delivery is for. */
export const deliveryKindSchema = z.enum(['guest-update', 'guest-webhook']);

/** How far a delivery has come. */
export const deliveryStateSchema = z.enum(deliveryStateNames);
