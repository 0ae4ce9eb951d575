import { Readable } from 'node:stream';
import type { ExportedDelivery, ExportedInvitations, ExportedWaiver, Guests } from '@waiver-service/store';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { readKeptBody } from '../../check-in/late-signing.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import { deliveryKindSchema, deliveryStateSchema } from '../../http/delivery-fields.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { waiverRecordAnswer, waiverRecordSchema } from '../../waiver-routes/waiver-record.ts';
import { poolPathSchema, requirePool } from '../admin-paths.ts';
import { versionAnswer, versionSchema } from '../waivers/version-answer.ts';
import { guestOf, guestSchema, holdAnswer, holdSchema } from './guest-fields.ts';

const sentSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    state: deliveryStateSchema,
    destination: z.string(),
    receiver: z
      .string()
      .nullable()
      .describe('The booking system, or the URL of the webhook; null if it was removed since.'),
    version: z.int(),
    createdAt: dateTimeSchema,
    body: z.unknown(),
    attempts: z.array(
      z.object({
        at: dateTimeSchema,
        outcome: z.string(),
        status: z.int().nullable(),
        errorCode: z.string().nullable(),
        response: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ExportedDelivery' });

const lateSigningSchema = z
  .object({
    id: z.string(),
    reason: z.string(),
    receivedAt: dateTimeSchema,
    signing: z.unknown().describe('As it was signed: see the body of `sign`.'),
  })
  .describe('A signing that arrived late and waits for staff.');

const exportedMailSchema = z
  .object({
    sent: z.array(
      z.object({
        id: z.string(),
        bookingSystem: z.string(),
        bookingId: z.string(),
        occasion: z.string(),
        state: z.string(),
        reason: z.string().nullable(),
        createdAt: dateTimeSchema,
        endedAt: dateTimeSchema.nullable(),
      }),
    ),
    refused: z.array(
      z.object({
        reason: z.enum(['refused', 'unsubscribed']),
        reply: z.string().nullable(),
        at: dateTimeSchema,
      }),
    ),
  })
  .describe('E-mail to the guest’s address, and whether the mail server or the guest wants no more.')
  .meta({ id: 'ExportedInvitations' });

const exportSchema = z
  .object({
    pool: z.string(),
    exportedAt: dateTimeSchema,
    waivers: z.array(
      waiverRecordSchema
        .extend({
          hold: holdSchema.nullable(),
          evidence: z
            .looseObject({ format: z.string() })
            .nullable()
            .describe('What the guest signed on the check-in page, without what others of the signing have.'),
          arrivals: z
            .array(z.object({ day: z.iso.date(), arrivedAt: dateTimeSchema }))
            .describe('The days on which staff noted that the guest had arrived, of the last 30 days.'),
          versions: z.array(versionSchema).describe('The changes of each, newest first.'),
          deliveries: z.array(sentSchema),
        })
        .meta({ id: 'ExportedWaiver' }),
    ),
    lateSignings: z.array(lateSigningSchema),
    invitations: exportedMailSchema,
  })
  .meta({ id: 'GuestExport' });

const sent = ({ body, attempts, ...delivery }: ExportedDelivery): z.input<typeof sentSchema> => ({
  ...delivery,
  body: JSON.parse(body),
  attempts: [...attempts],
});

/** Yields the pieces of a JSON array. */
async function* arrayOf<Item>(
  items: AsyncIterable<Item>,
  textsOf: (item: Item) => Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const item of items) {
    yield separator;
    yield* textsOf(item);
    separator = ',\n';
  }
  yield ']';
}

async function* textsOfWaiver({
  record,
  hold,
  evidence,
  arrivals,
  versions,
  deliveries,
}: ExportedWaiver): AsyncGenerator<string> {
  const fields = {
    ...waiverRecordAnswer(record, true),
    hold: hold ? holdAnswer(hold, true) : null,
    evidence: evidence ?? null,
    arrivals,
  };
  yield `${JSON.stringify(fields).slice(0, -1)},"versions":`;
  yield* arrayOf(versions, (version) => [JSON.stringify(versionAnswer(version, true))]);
  yield ',"deliveries":';
  yield* arrayOf(deliveries, (delivery) => [JSON.stringify(sent(delivery))]);
  yield '}';
}

/** A document in the form of {@link exportSchema}, piece by piece. */
async function* documentOf(
  pool: string,
  waivers: AsyncIterable<ExportedWaiver>,
  late: ReturnType<Guests['exportLate']>,
  invitations: ExportedInvitations,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ pool, exportedAt: new Date() }).slice(0, -1)},"waivers":`;
  yield* arrayOf(waivers, textsOfWaiver);
  yield ',"lateSignings":';
  yield* arrayOf(late, ({ body, ...one }) => [
    JSON.stringify({ ...one, signing: readKeptBody(body).signing ?? null }),
  ]);
  yield `,"invitations":${JSON.stringify(invitations)}`;
  yield '}\n';
}

// Typed loosely: the handler returns a stream of text.
const sendDocument = (reply: FastifyReply, document: AsyncIterable<string>) =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-disposition', 'attachment; filename="guest.json"')
    .send(Readable.from(document));

/** `GET /v1/admin/pools/{pool}/export`: everything stored about a guest. */
export const exportRoute: RouteModule = (app, services) => {
  const { guests, waivers } = services.store;
  app.route({
    config: { access: 'operator', audited: true },
    method: 'GET',
    url: '/v1/admin/pools/:pool/export',
    // HEAD would read everything and discard it.
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportGuest',
      summary: 'Export everything that is stored of a guest',
      description:
        'One JSON document, sent as it is read: each record, how it changed, and every message about it, with its recipient and time. If reading fails midway, the connection closes before the document is complete.',
      params: poolPathSchema,
      querystring: guestSchema,
      response: { 200: exportSchema },
    },
    handler: async ({ params: { pool }, query }, reply) => {
      await requirePool(services, pool);
      const { waiverId } = query;
      if (waiverId !== undefined && !(await waivers.get(pool, waiverId)))
        throw await missingWaiver(services, pool, waiverId);
      const guest = guestOf(query);
      const invitations = await guests.exportInvitations(pool, guest);
      return sendDocument(
        reply,
        documentOf(pool, guests.export(pool, guest), guests.exportLate(pool, guest), invitations),
      );
    },
  });
};
