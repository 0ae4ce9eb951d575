import type { ShownBody, ShownHeader } from '@waiver-service/outbound';
import { z } from 'zod';

/** The steps of a read, in order. Those from `session` to `parse` may occur several times. */
export const readStepNames = [
  'resolve',
  'address',
  'turn',
  'session',
  'dns',
  'connect',
  'tls',
  'request',
  'parse',
  'form',
  'normalize',
  'warnings',
] as const;

const headersSchema = z.array(z.object({ name: z.string(), value: z.string() }));
const bodySchema = z
  .object({
    text: z.string().describe('Without secrets; the beginning, if it is long.'),
    bytes: z.int(),
    isWhole: z.boolean(),
  })
  .meta({ id: 'ShownBody' });

/** One step of how a booking was read, for a person. */
export const readStepSchema = z
  .object({
    step: z
      .enum(readStepNames)
      .describe(
        '`resolve`: the plugin and the installation. `address`: settings and base address. `turn`: waiting for a turn within the rate limits. `session`: a token. `normalize`: to the contract’s form.',
      ),
    state: z.enum(['done', 'failed', 'skipped']),
    startedMs: z
      .number()
      .optional()
      .describe('Milliseconds since the beginning. Absent if it was not timed.'),
    durationMs: z.number().optional(),
    message: z.string().describe('What was found, in a sentence.'),
    advice: z.string().optional().describe('If it failed: what to do.'),
    exchange: z
      .object({
        method: z.string(),
        url: z.string(),
        requestHeaders: headersSchema.describe('Values that may be secret are redacted.'),
        requestBody: bodySchema.optional(),
        answeredAfterMs: z
          .number()
          .optional()
          .describe('From the beginning to the first byte of the response.'),
        status: z.int().optional(),
        answerHeaders: headersSchema.optional(),
        answer: bodySchema.optional().describe('As it came. It is not stored.'),
      })
      .optional(),
  })
  .meta({ id: 'ReadStep' });

/** See {@link readStepSchema}. */
export type ReadStep = z.infer<typeof readStepSchema>;

export const headersAnswer = (headers: readonly ShownHeader[]) => headers.map((header) => ({ ...header }));
export const bodyAnswer = (body: ShownBody) => ({ ...body });
