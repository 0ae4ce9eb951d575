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
    text: z.string().describe('Text of the body, without secrets; only the beginning of a long body.'),
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
        '`resolve`: finding the plugin and the installation. `address`: checking the settings and the base address. `turn`: waiting for the rate limits. `session`: getting a token. `normalize`: converting the booking to the contract’s form.',
      ),
    state: z.enum(['done', 'failed', 'skipped']),
    startedMs: z
      .number()
      .optional()
      .describe(
        'Milliseconds from the start of the first step to the start of this one; absent if not timed.',
      ),
    durationMs: z.number().optional(),
    message: z.string().describe('Result of the step, in a sentence.'),
    advice: z.string().optional().describe('What to do about the failure, if the step failed.'),
    exchange: z
      .object({
        method: z.string(),
        url: z.string(),
        requestHeaders: headersSchema.describe('Request headers; values that may be secret are redacted.'),
        requestBody: bodySchema.optional(),
        answeredAfterMs: z
          .number()
          .optional()
          .describe('Milliseconds from the start of the first step to the first byte of the response.'),
        status: z.int().optional(),
        answerHeaders: headersSchema.optional(),
        answer: bodySchema.optional().describe('The response body, as received. Not stored.'),
      })
      .optional(),
  })
  .meta({ id: 'ReadStep' });
