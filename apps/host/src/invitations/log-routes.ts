import { bookingIdSchema } from '@waiver-service/core';
import { type Invitation, type InvitationRefusal, invitationOccasions } from '@waiver-service/store';
import { z } from 'zod';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-routes/admin-paths.ts';
import { noContentSchema } from '../admin-routes/no-content.ts';
import { type Caller, seesGuests } from '../authentication/caller.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import { redactedSchema } from '../http/guest-data.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { pageOf, pageQueryFields, pageQuerySchema, pageSchema } from '../http/pages.ts';

/** The outcomes of messages, as shown. */
const shownInvitationStates = ['waiting', 'sent', 'in-doubt', 'refused', 'left-out', 'given-up'] as const;

/** A message that is being handed over is shown as waiting. */
function shownState({ state, isGivenUp }: Invitation): (typeof shownInvitationStates)[number] {
  if (isGivenUp) return 'given-up';
  return state === 'handing-over' ? 'waiting' : state;
}

const invitationSchema = z
  .object({
    id: z.string().describe('Id of the message and of its delivery; part of the Message-ID header.'),
    bookingSystem: z.string(),
    bookingId: z.string(),
    occasion: z.enum(invitationOccasions),
    day: z.string().describe('Day of the booking’s first session, in the pool’s time zone.'),
    email: z.string().nullable().describe('The recipient’s address; null for a viewer.'),
    redacted: redactedSchema,
    guests: z.int().describe('Number of guests whom the message asks to sign.'),
    state: z
      .enum(shownInvitationStates)
      .describe(
        '`in-doubt`: the connection was lost after the text was handed over; the message may have arrived, and is not sent again. `given-up`: the mail server accepted the message in none of the attempts.',
      ),
    reason: z.string().nullable().describe('Why the message was left out or refused.'),
    createdBy: z.string(),
    createdAt: dateTimeSchema,
    endedAt: dateTimeSchema.nullable(),
  })
  .meta({ id: 'SentInvitation' });

function invitationAnswer(invitation: Invitation, caller: Caller | null): z.input<typeof invitationSchema> {
  const { pool: _, isGivenUp: __, email, reason, ...item } = invitation;
  const isRedacted = !seesGuests(caller);
  // The mail server's reply may quote the address.
  const isQuote = isRedacted && item.state === 'refused';
  return {
    ...item,
    state: shownState(invitation),
    email: isRedacted ? null : email,
    reason: isQuote ? null : reason,
    ...(isRedacted ? { redacted: true as const } : {}),
  };
}

const refusalSchema = z
  .object({
    id: z.string(),
    email: z.string().nullable().describe('The address; null if it was erased or is unknown.'),
    reason: z.enum(['refused', 'unsubscribed']),
    reply: z.string().nullable().describe('The mail server’s reply; null if the owner unsubscribed.'),
    at: dateTimeSchema,
  })
  .meta({ id: 'InvitationRefusal' });

const refusalAnswer = (refusal: InvitationRefusal): z.input<typeof refusalSchema> => ({ ...refusal });

/** The log of messages, and the addresses that get no more messages. */
export const invitationLogRoutes: RouteModule = (app, services) => {
  const { invitations } = services.store;
  const url = '/v1/admin/pools/:pool/invitations';

  app.route({
    config: { access: 'viewer', audited: true },
    method: 'GET',
    url: `${url}/sent`,
    schema: {
      operationId: 'listSentInvitations',
      tags: ['Check-in'],
      summary: 'List the messages to a pool’s guests, newest first',
      params: poolPathSchema,
      querystring: z.strictObject({ ...pageQueryFields, bookingId: bookingIdSchema.optional() }),
      response: { 200: pageSchema(invitationSchema) },
    },
    handler: async ({ params: { pool }, query, caller }) => {
      await requirePool(services, pool);
      return pageOf(invitations.list(pool, query), (each) => invitationAnswer(each, caller));
    },
  });

  app.route({
    config: { access: 'operator', audited: true },
    method: 'GET',
    url: `${url}/refusals`,
    schema: {
      operationId: 'listInvitationRefusals',
      tags: ['Check-in'],
      summary: 'List the addresses that get no more messages, newest first',
      description:
        'Lists addresses that the mail server refused (`refused`) or whose owner unsubscribed (`unsubscribed`).',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(refusalSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      return pageOf(invitations.listRefusals(pool, query), refusalAnswer);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/refusals/:id`,
    schema: {
      operationId: 'liftInvitationRefusal',
      tags: ['Check-in'],
      summary: 'Allow messages to an address again',
      description:
        'Removes an address from the list of refused ones. If its owner unsubscribed, do this only at the owner’s request.',
      params: poolIdPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      await requirePool(services, pool);
      if (!(await invitations.removeRefusal(pool, id)))
        throw new HttpProblem(404, 'refusal_not_found', 'The pool has no such refused address.');
      return reply.code(204).send(null);
    },
  });
};
