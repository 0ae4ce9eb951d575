import { dateTimeSchema, deliveryStateSchema, shownAuthSchema, shownPoolsSchema } from '@waiver-service/api';
import { type Alert, alertEvents, type SentAlert } from '@waiver-service/store';
import { z } from 'zod';
import { type Caller, isAtLeast, personOf } from '../../authentication/caller.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { shownAuth } from '../webhooks/webhook-auth.ts';

export const alertEventSchema = z.enum(alertEvents).meta({ id: 'AlertEvent' });

/** An alert, without its credentials or signing secret. */
export const alertSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z
      .string()
      .optional()
      .describe('The URL that alerts are sent to; absent for an email alert. Viewers see only its origin.'),
    auth: shownAuthSchema.optional(),
    signing: z.boolean().optional().describe('Whether messages are signed; absent for an email alert.'),
    email: z.string().optional(),
    events: z.array(alertEventSchema),
    pools: shownPoolsSchema,
    destination: z.string().describe('The id of the destination that represents this alert’s receiver.'),
    status: z
      .enum(['active', 'paused', 'closed'])
      .describe('`paused`: sending is suspended, usually because the receiver has kept failing.'),
    consecutiveFailures: z.int(),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema,
  })
  .meta({ id: 'Alert' });

/** An alert that was just created or changed, with its signing secret if that is new. */
export const alertWithSecretSchema = alertSchema
  .extend({
    signingSecret: z.string().optional().describe('The signing secret, if it is new. It is not shown again.'),
  })
  .meta({ id: 'AlertWithSecret' });

export const sentAlertSchema = z
  .object({
    id: z.string().describe('The id of the delivery that sent the alert.'),
    alert: z.string().describe('The id of the alert.'),
    alertName: z.string(),
    type: alertEventSchema,
    at: dateTimeSchema,
    pool: z.string().optional(),
    destination: z.string().optional().describe('The id of the affected destination.'),
    message: z.string(),
    leftOut: z
      .int()
      .describe('The number of occurrences since the previous message that were not sent separately.'),
    state: deliveryStateSchema,
  })
  .meta({ id: 'SentAlert' });

/** A chat webhook's URL is its secret: viewers see only the origin. */
function shownUrl(url: string, caller: Caller | null): string {
  return isAtLeast(personOf(caller).role, 'operator') ? url : `${new URL(url).origin}/…`;
}

function targetAnswer({ target }: Alert, caller: Caller | null) {
  if (target.kind === 'email') return { email: target.email };
  const { url, auth, signingSecrets } = target;
  return { url: shownUrl(url, caller), auth: shownAuth(auth), signing: signingSecrets.length > 0 };
}

export function alertAnswer(alert: Alert, caller: Caller | null): z.input<typeof alertSchema> {
  const { target: _, events, pools, destinationId: destination, ...rest } = alert;
  return {
    ...rest,
    ...targetAnswer(alert, caller),
    events: [...events],
    pools: pools && [...pools],
    destination,
  };
}

export function sentAlertAnswer(sent: SentAlert): z.input<typeof sentAlertSchema> {
  const { event: type, pool, destination, ...rest } = sent;
  return { ...rest, type, pool: pool ?? undefined, destination: destination ?? undefined };
}

export const alertNotFound = () => new HttpProblem(404, 'alert_not_found', 'There is no alert with this id.');
