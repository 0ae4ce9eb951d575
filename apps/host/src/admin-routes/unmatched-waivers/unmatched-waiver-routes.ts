import { bookingGuestIdSchema, bookingIdSchema } from '@waiver-service/core';
import type { UnmatchedReason, UnmatchedWaiver } from '@waiver-service/store';
import type { MissingReference } from '@waiver-service/waivers';
import { z } from 'zod';
import { type Caller, changeActorOf, seesGuests } from '../../authentication/caller.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import { redactedSchema } from '../../http/guest-data.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { waiverNotFound, waiverVoided } from '../../waiver-routes/waiver-problems.ts';
import { waiverRecordAnswer, waiverRecordSchema } from '../../waiver-routes/waiver-record.ts';
import { waiverParamsSchema } from '../../waiver-routes/waiver-schemas.ts';
import { poolPathSchema, requirePool } from '../admin-paths.ts';
import { noContentSchema } from '../no-content.ts';

const unmatchedWaiverSchema = z
  .object({
    waiverId: z.string(),
    name: z
      .string()
      .nullable()
      .describe('The guest’s name, from the answer `name`; null if there is none, and for a viewer.'),
    bookingSystem: z.string(),
    bookingId: z.string(),
    bookingGuestId: z.string().nullable(),
    reason: z
      .enum(['guest_gone', 'booking_gone'])
      .describe(
        'Why the waiver is listed. `guest_gone`: the booking no longer has the guest `bookingGuestId`, and no other guest clearly matches. `booking_gone`: the booking system no longer has the booking.',
      ),
    since: dateTimeSchema,
    proposals: z
      .array(
        z.object({ bookingGuestId: z.string(), name: z.string().optional(), email: z.string().optional() }),
      )
      .nullable()
      .describe(
        'The booking’s guests without a waiver, most likely match first, at most 20; null for a viewer.',
      ),
    redacted: redactedSchema,
  })
  .meta({ id: 'UnmatchedWaiver' });

const attachBodySchema = z.strictObject({
  bookingId: bookingIdSchema
    .optional()
    .describe('The id of the booking; the waiver’s current booking if omitted.'),
  bookingGuestId: bookingGuestIdSchema
    .nullable()
    .describe('The id of the booking’s guest; null to attach the waiver to the booking only.'),
});

function answerOf(waiver: UnmatchedWaiver, caller: Caller | null): z.input<typeof unmatchedWaiverSchema> {
  const { name, proposals, since, ...rest } = waiver;
  const listed = { ...rest, since };
  if (!seesGuests(caller)) return { ...listed, name: null, proposals: null, redacted: true };
  return {
    ...listed,
    name,
    proposals: proposals.map(({ id, name, email }) => ({
      bookingGuestId: id,
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
    })),
  };
}

const notListed = (id: string) =>
  new HttpProblem(
    404,
    'unmatched_waiver_not_found',
    `This pool lists no waiver ${JSON.stringify(id)} whose guest or booking is gone.`,
  );

const missingReferences: { readonly [Reason in UnmatchedReason]: MissingReference } = {
  guest_gone: 'guest',
  booking_gone: 'booking',
};

/** Waivers whose guest or booking is gone from the booking system, and what a person does about them. */
export const unmatchedWaiverRoutes: RouteModule = (app, services) => {
  const { store } = services;
  const url = '/v1/admin/pools/:pool/unmatched-waivers';

  app.route({
    config: { access: 'viewer', audited: true },
    method: 'GET',
    url,
    schema: {
      operationId: 'listUnmatchedWaivers',
      summary: 'List the waivers whose guest or booking no longer exists, longest listed first',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(unmatchedWaiverSchema) },
    },
    handler: async ({ params, query, caller }) => {
      await requirePool(services, params.pool);
      return pageOf(store.unmatchedWaivers.list(params.pool, query), (waiver) => answerOf(waiver, caller));
    },
  });

  app.route({
    config: { access: 'operator', problems: { 409: 'The waiver was voided.' } },
    method: 'POST',
    url: `${url}/:id/attach`,
    schema: {
      operationId: 'attachUnmatchedWaiver',
      summary: 'Attach an unmatched waiver to a guest of its booking, or to another booking',
      description:
        'Changes the waiver and sends it like any other change, but does not withdraw it from the guest or booking that no longer exists.',
      params: waiverParamsSchema,
      body: attachBodySchema,
      response: { 200: waiverRecordSchema },
    },
    handler: async ({ params: { pool, id }, body, caller }) => {
      const reason = await store.unmatchedWaivers.reasonFor(pool, id);
      if (reason === undefined) throw notListed(id);
      const result = await store.waivers.update(pool, id, body, {
        missing: missingReferences[reason],
        by: changeActorOf(caller),
      });
      if (result.outcome === 'not-found') throw waiverNotFound(id);
      if (result.outcome === 'voided') throw waiverVoided(id);
      if (result.outcome === 'answers-too-large') throw new Error('answers grew without being changed');
      return waiverRecordAnswer(result.record, seesGuests(caller));
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'dismissUnmatchedWaiver',
      summary: 'Dismiss an unmatched waiver until its guest or booking changes',
      params: waiverParamsSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      if (!(await store.unmatchedWaivers.dismiss(pool, id))) throw notListed(id);
      return reply.code(204).send(null);
    },
  });
};
