import type { Kiosk } from '@waiver-service/store';
import { z } from 'zod';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-routes/admin-paths.ts';
import { noContentSchema } from '../admin-routes/no-content.ts';
import { changeActorOf } from '../authentication/caller.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../http/pages.ts';
import { pinSchema, pinVerifier } from './kiosk-pin.ts';

const defaultReturnS = 60;

const nameSchema = z.string().trim().min(1).max(100);
const returnSchema = z
  .int()
  .min(15)
  .max(900)
  .describe(
    'Seconds without a touch until the kiosk returns to its first screen. A new kiosk has 60 by default.',
  );

const kioskSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    returnAfterS: z.int(),
    createdAt: dateTimeSchema,
    createdBy: z.string(),
    pairedAt: dateTimeSchema.nullable().describe('When a tablet was last paired; null if none has been.'),
    lastSeenAt: dateTimeSchema.nullable(),
    waiting: z.int().describe('Number of signings waiting on the tablet, as last reported by the tablet.'),
    waitingSince: dateTimeSchema.nullable(),
  })
  .meta({ id: 'Kiosk' });

const codeSchema = {
  code: z.string().describe('The pairing code to type on the tablet. Works once, and is shown only here.'),
  codeExpiresAt: dateTimeSchema,
  url: z.url().describe('The address to open on the tablet.'),
};

const notFound = () => new HttpProblem(404, 'kiosk_not_found', 'This pool has no kiosk with this id.');

const answerOf = ({ pool: _, ...kiosk }: Kiosk) => kiosk;

/** The kiosks of a pool, as operators see them. */
export const kioskRoutes: RouteModule = (app, services) => {
  const { kiosks } = services.store;
  const url = '/v1/admin/pools/:pool/kiosks';
  const kioskUrl = () => `${services.baseUrl()}/check-in/kiosk`;

  app.route({
    config: {
      access: 'operator',
      problems: { 409: 'The pool already has 100 kiosks, the maximum (`too_many_kiosks`).' },
    },
    method: 'POST',
    url,
    schema: {
      operationId: 'createKiosk',
      tags: ['Check-in'],
      summary: 'Create a kiosk and a code to pair a tablet with',
      params: poolPathSchema,
      body: z.strictObject({ name: nameSchema, pin: pinSchema, returnAfterS: returnSchema.optional() }),
      response: { 201: z.object({ id: z.string(), ...codeSchema }) },
    },
    handler: async ({ params: { pool }, body, caller }, reply) => {
      await requirePool(services, pool);
      const made = await kiosks.create(pool, {
        name: body.name,
        pinVerifier: await pinVerifier(body.pin),
        returnAfterS: body.returnAfterS ?? defaultReturnS,
        createdBy: changeActorOf(caller)?.id ?? '',
      });
      if (made === undefined)
        throw new HttpProblem(409, 'too_many_kiosks', 'A pool has at most 100 kiosks: revoke one first.');
      const { id, code, expiresAt } = made;
      return reply.code(201).send({ id, code, codeExpiresAt: expiresAt, url: kioskUrl() });
    },
  });

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listKiosks',
      tags: ['Check-in'],
      summary: 'List the kiosks of a pool, and how many signings wait on each',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(kioskSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      return pageOf(kiosks.list(pool, query), answerOf);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'PATCH',
    url: `${url}/:id`,
    schema: {
      operationId: 'changeKiosk',
      tags: ['Check-in'],
      summary: 'Change the name, PIN or idle time of a kiosk',
      description: 'A tablet that is offline gets the change when it is online again.',
      params: poolIdPathSchema,
      body: z.strictObject({
        name: nameSchema.optional(),
        pin: pinSchema.optional(),
        returnAfterS: returnSchema.optional(),
      }),
      response: { 200: kioskSchema },
    },
    handler: async ({ params: { pool, id }, body: { pin, name, returnAfterS } }) => {
      const kiosk = await kiosks.change(pool, id, {
        ...(name === undefined ? {} : { name }),
        ...(returnAfterS === undefined ? {} : { returnAfterS }),
        ...(pin === undefined ? {} : { pinVerifier: await pinVerifier(pin) }),
      });
      if (kiosk === undefined) throw notFound();
      return answerOf(kiosk);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: `${url}/:id/pairing-code`,
    schema: {
      operationId: 'makePairingCode',
      tags: ['Check-in'],
      summary: 'Create a new pairing code for a kiosk, for the same tablet or another',
      description: 'The previously paired tablet works until the code is used.',
      params: poolIdPathSchema,
      response: { 201: z.object(codeSchema) },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      const made = await kiosks.newCode(pool, id);
      if (made === undefined) throw notFound();
      return reply.code(201).send({ code: made.code, codeExpiresAt: made.expiresAt, url: kioskUrl() });
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'revokeKiosk',
      tags: ['Check-in'],
      summary: 'Revoke a kiosk immediately',
      description:
        'Signings waiting on the tablet are not lost: they are listed as late signings when they arrive.',
      params: poolIdPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      if (!(await kiosks.revoke(pool, id))) throw notFound();
      return reply.code(204).send(null);
    },
  });
};
