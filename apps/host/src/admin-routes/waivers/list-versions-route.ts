import type { Store, WaiverVersion } from '@waiver-service/store';
import { type AnswerChange, versionedFields } from '@waiver-service/waivers';
import { z } from 'zod';
import { seesGuests } from '../../authentication/caller.ts';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import { redactedSchema } from '../../http/guest-data.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../../waiver-routes/waiver-schemas.ts';

const value = z.unknown().optional();

const versionSchema = z
  .object({
    version: z.int(),
    formerVersion: z
      .int()
      .describe(
        'The version that it replaced; 0: none. Two less where the waiver moved: the version between took it back from its former place.',
      ),
    at: dateTimeSchema,
    actor: z
      .string()
      .optional()
      .describe(
        '`admin-token`, `credential:<id>`, `access-token:<id>`, or `booking-system:<install name>` where the waiver followed its booking. Absent if it is not known.',
      ),
    actorName: z.string().optional(),
    fields: z
      .array(z.object({ field: z.enum(versionedFields), before: z.unknown(), after: z.unknown() }))
      .describe('The fields that changed, but for the answers; none for the first version.'),
    answers: z
      .array(
        z.object({
          name: z.string(),
          kind: z.enum(['added', 'changed', 'removed']),
          before: value,
          after: value,
        }),
      )
      .nullable()
      .describe(
        'The answers that changed; none for the first version. Values are absent once the answer was removed. null for a viewer.',
      ),
    redacted: redactedSchema,
  })
  .meta({ id: 'WaiverVersion' });

type VersionAnswer = z.infer<typeof versionSchema>;

const answerChange = ([name, change]: readonly [string, AnswerChange]) => ({ name, ...change });

function versionAnswer(
  { version, formerVersion, at, by, fields, answers }: WaiverVersion,
  withAnswers: boolean,
): VersionAnswer {
  return {
    version,
    formerVersion,
    at: toDateTime(at),
    ...(by === undefined ? {} : { actor: by.id, ...(by.name === null ? {} : { actorName: by.name }) }),
    fields: [...fields],
    ...(withAnswers
      ? { answers: Object.entries(answers).map(answerChange) }
      : { answers: null, redacted: true as const }),
  };
}

/** `GET /v1/admin/pools/{pool}/waivers/{id}/versions`: what changed in a waiver, when, and by whom. */
export const listVersionsRoute: RouteModule<{ readonly store: Pick<Store, 'waivers' | 'guests'> }> = (
  app,
  { store },
) => {
  app.route({
    config: { access: 'viewer', audited: true },
    method: 'GET',
    url: '/v1/admin/pools/:pool/waivers/:id/versions',
    schema: {
      operationId: 'listWaiverVersions',
      tags: ['Operators'],
      summary: 'List the versions of a waiver: what each changed, and who made it; newest first',
      description: 'Versions that were stored before the service kept them are missing.',
      params: waiverParamsSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(versionSchema) },
    },
    handler: async ({ params: { pool, id }, query, caller }) => {
      if (!(await store.waivers.get(pool, id))) throw await missingWaiver({ store }, pool, id);
      const { items, next } = await pageOrProblem(store.waivers.versionsOf(pool, id, query));
      return { items: items.map((item) => versionAnswer(item, seesGuests(caller))), next };
    },
  });
};
