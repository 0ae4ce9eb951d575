import { z } from 'zod';
import { dateTimeSchema, timeSchema } from './date-time.ts';

/** The name that people recognize a token by. */
export const keyNameSchema = z
  .string()
  .max(200)
  .refine((name) => name.trim() !== '', 'the name is blank');

export const expiresAtSchema = timeSchema
  .refine((time) => time.getTime() > Date.now(), 'is not in the future')
  .describe('When the credential or token expires; never if omitted.');

/** A key or token as shown after its creation, without the secret. */
export const keyItemSchema = z
  .object({
    id: z.string(),
    createdAt: dateTimeSchema,
    lastUsedAt: dateTimeSchema.nullable(),
    hint: z.string().describe('The first and last characters of the key or token, to tell them apart.'),
  })
  .meta({ id: 'Key' });

/** A key or token as an operator sees it. */
export type KeyInfo = Readonly<z.input<typeof keyItemSchema>>;
