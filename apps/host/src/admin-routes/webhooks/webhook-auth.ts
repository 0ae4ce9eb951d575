import { CredentialsNeeded } from '@waiver-service/store';
import { z } from 'zod';
import { malformed } from '../../http/http-problem.ts';

// Headers that the service sets, or that belong to the connection.
const ownHeaders: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);

const headerName = z
  .string()
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'this is not the name of an HTTP header')
  .refine(
    (name) => !ownHeaders.has(name.toLowerCase()),
    'this header is set by the service or by the connection',
  );

const headerValue = z
  .string()
  .max(4096)
  .regex(
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
    'a header’s value is of visible ASCII characters, and spaces only between them',
  );

const withoutControls = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what RFC 7617 forbids
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'control characters cannot be sent by Basic Auth');

/** How a webhook authenticates to its receiver (contract 5). */
export const webhookAuthSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('header'), name: headerName, value: headerValue }),
    z.strictObject({
      type: z.literal('basic'),
      username: withoutControls(256)
        .min(1)
        .refine(
          (username) => !username.includes(':'),
          'a username has no colon: Basic Auth would cut it there',
        ),
      password: withoutControls(1024),
    }),
  ])
  .describe('How messages authenticate to the receiver: not at all, by a custom header, or by Basic Auth.')
  .meta({ id: 'WebhookAuth' });

export type WebhookAuth = z.infer<typeof webhookAuthSchema>;

/** The authentication of a webhook without its credentials. */
export const shownAuthSchema = z
  .object({
    type: z.enum(['none', 'header', 'basic']),
    name: z.string().optional().describe('The name of the header; only for type `header`.'),
  })
  .meta({ id: 'ShownWebhookAuth' });

export function shownAuth(auth: WebhookAuth): z.infer<typeof shownAuthSchema> {
  return auth.type === 'header' ? { type: auth.type, name: auth.name } : { type: auth.type };
}

/**
 * Awaits a change of an address.
 * @throws HttpProblem 400 that names `auth` if the credentials must be given again
 */
export async function changedOrProblem<Changed>(change: Promise<Changed>): Promise<Changed> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof CredentialsNeeded) throw malformed([{ path: 'auth', message: error.message }]);
    throw error;
  }
}
