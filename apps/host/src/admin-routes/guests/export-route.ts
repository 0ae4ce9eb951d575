import { Readable } from 'node:stream';
import type { ExportedDelivery, ExportedInvitations, ExportedWaiver, Guests } from '@waiver-service/store';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { readKeptBody } from '../../check-in/late-signing.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import { deliveryKindSchema, deliveryStateSchema } from '../../http/delivery-fields.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { erasedResponse, missingWaiver } from '../../waiver-routes/waiver-problems.ts';
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
      .describe(
        'The install name of the booking system, or the URL of the webhook; null if no longer known, as for a removed webhook.',
      ),
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
    signing: z
      .unknown()
      .describe(
        'The signing as received, in the form of the request body of `sign`; null if it cannot be read.',
      ),
  })
  .describe('A signing that arrived late and is waiting for staff to review it.');

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
    copies: z
      .array(
        z.object({
          id: z.string(),
          signing: z.string(),
          state: z.enum(['waiting', 'handing-over', 'sent', 'in-doubt', 'refused', 'left-out']),
          reason: z.string().nullable(),
          createdAt: dateTimeSchema,
          endedAt: dateTimeSchema.nullable(),
        }),
      )
      .describe('Messages with the link to the copy of what was signed.'),
    refused: z.array(
      z.object({
        reason: z.enum(['refused', 'unsubscribed']),
        reply: z.string().nullable(),
        at: dateTimeSchema,
      }),
    ),
  })
  .describe('E-mail to the guest’s address, and refusals of further e-mail by the mail server or the guest.')
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
            .describe(
              'The record signed on the check-in page, without the data of others who signed together; null if not signed there.',
            ),
          arrivals: z
            .array(z.object({ day: z.iso.date(), arrivedAt: dateTimeSchema }))
            .describe('The guest’s arrivals of the last 30 days, as recorded by staff.'),
          versions: z
            .array(versionSchema)
            .describe('The versions of the record and their changes, newest first.'),
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
    config: { access: 'operator', audited: true, problems: erasedResponse },
    method: 'GET',
    url: '/v1/admin/pools/:pool/export',
    // HEAD would read everything and discard it.
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportGuest',
      summary: 'Export everything that is stored about a guest',
      description:
        'Streams one JSON document: each record with its versions and every message about it, with recipient and time. If reading fails midway, the connection is closed before the document is complete.',
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
