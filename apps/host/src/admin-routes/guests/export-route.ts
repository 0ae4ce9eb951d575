import { Readable } from 'node:stream';
import { type exportedDeliverySchema, exportGuest } from '@waiver-service/api';
import type { ExportedDelivery, ExportedInvitations, ExportedWaiver, Guests } from '@waiver-service/store';
import type { FastifyReply } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { readKeptBody } from '../../check-in/late-signing.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { waiverRecordAnswer } from '../../waiver-routes/waiver-record.ts';
import { requirePool } from '../admin-paths.ts';
import { versionAnswer } from '../waivers/version-answer.ts';
import { guestOf, holdAnswer } from './guest-fields.ts';

const sent = ({ body, attempts, ...delivery }: ExportedDelivery): z.input<typeof exportedDeliverySchema> => ({
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
@injectable()
export class ExportRoute implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const { guests, waivers } = this.store;
    app.route({
      ...exportGuest,
      handler: async ({ params: { pool }, query }, reply) => {
        await requirePool(this, pool);
        const { waiverId } = query;
        if (waiverId !== undefined && !(await waivers.get(pool, waiverId)))
          throw await missingWaiver(this, pool, waiverId);
        const guest = guestOf(query);
        const invitations = await guests.exportInvitations(pool, guest);
        return sendDocument(
          reply,
          documentOf(pool, guests.export(pool, guest), guests.exportLate(pool, guest), invitations),
        );
      },
    });
  }
}
