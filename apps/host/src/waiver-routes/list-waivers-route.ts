import { bookingIdSchema } from '@waiver-service/core';
import { waiverStates } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { seesAnswers, seesGuests } from '../authentication/caller.ts';
import { timeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { pageOrProblem, pageQueryFields, pageSchema } from '../http/pages.ts';
import { waiverRecordAnswer, waiverRecordSchema } from './waiver-record.ts';
import { poolParamsSchema } from './waiver-schemas.ts';

/** The maximum length of a search's text, in UTF-16 code units. */
const searchMaxLength = 200;

const querySchema = z
  .strictObject({
    search: z
      .string()
      .trim()
      .min(1)
      .max(searchMaxLength)
      .optional()
      .describe(
        'Finds waivers by waiver id, booking id, the beginning of the e-mail address, or the name: each search word must begin a word of the name. Not for viewers.',
      ),
    bookingId: bookingIdSchema.optional(),
    state: z
      .enum(waiverStates)
      .optional()
      .describe(
        '`unfinished`: at a step before the last. `signed`: neither unfinished nor voided. `held`: kept by a hold, in any of the other states; not for access tokens.',
      ),
    updatedSince: timeSchema.optional().describe('Only records changed at or after this date-time.'),
    order: z
      .enum(['oldest', 'newest'])
      .optional()
      .describe(
        'Whether the oldest or the newest change is first; the oldest if omitted. Cannot be combined with `search`, which has its own order.',
      ),
    ...pageQueryFields,
  })
  .refine(({ search, order }) => search === undefined || order === undefined, {
    path: ['order'],
    error: 'does not go with search, which has its own order',
  });

/** A caller who may search by name could discover names, letter by letter. */
async function refuseSearchOfViewers({ query, caller }: FastifyRequest): Promise<void> {
  if (seesGuests(caller) || !Object.hasOwn(Object(query), 'search')) return;
  throw new HttpProblem(
    403,
    'forbidden',
    'This takes the role operator: a search can tell who the guests are.',
  );
}

/** Waiver apps must not learn of holds. */
async function refuseHeldToApps({ query, caller }: FastifyRequest<{ Querystring: { state?: string } }>) {
  if (caller?.kind === 'person' || query.state !== 'held') return;
  throw new HttpProblem(403, 'forbidden', 'Which records are held is for people: use a credential.');
}

/** `GET /v1/pools/{pool}/waivers`: the pool's records by last change, or those that a search finds. */
export const listWaiversRoute: RouteModule = (app, { store }) => {
  app.route({
    config: { access: 'waivers:list', audited: true },
    method: 'GET',
    url: '/v1/pools/:pool/waivers',
    schema: {
      operationId: 'listWaivers',
      tags: ['Waivers'],
      summary: 'List waiver records by their last change, or search them',
      description:
        'A page may have fewer items than `limit`, or none, and still have a `next`. For each page, a search examines only a limited part of a large pool.',
      params: poolParamsSchema,
      querystring: querySchema,
      response: {
        200: pageSchema(waiverRecordSchema),
      },
    },
    preValidation: refuseSearchOfViewers,
    preHandler: refuseHeldToApps,
    handler: async (request) => {
      const { pool } = request.params;
      const { search: text, ...query } = request.query;
      const page = await pageOrProblem(
        text === undefined ? store.waivers.list(pool, query) : store.waivers.search(pool, { ...query, text }),
      );
      if (page.items.length === 0 && !(await store.pools.get(pool))) throw unknownPool(pool);
      return {
        items: page.items.map((record) => waiverRecordAnswer(record, seesAnswers(request.caller))),
        next: page.next,
      };
    },
  });
};
