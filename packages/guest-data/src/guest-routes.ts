import { Readable } from 'node:stream';
import {
  createErasure,
  deleteWaiverHold,
  type erasedGuestSchema,
  exportGuest,
  listErasedWaivers,
  listErasures,
  putWaiverHold,
  readErasure,
} from '@waiver-service/api';
import {
  type HostApp,
  HttpProblem,
  pageOf,
  pageOrProblem,
  personOf,
  type RouteModule,
} from '@waiver-service/http';
import {
  holdAnswer,
  missingWaiver,
  requirePool,
  waiverNotFound,
  waiverRecordAnswer,
} from '@waiver-service/integration';
import { readKeptBody } from '@waiver-service/signing';
import type { FastifyReply } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import type { ExportedWaiver, GuestReference } from './data/export-guest.ts';
import { GuestStore, type Guests } from './data/guest-store.ts';

function guestOf({ waiverId, email }: z.infer<typeof erasedGuestSchema>): GuestReference {
  return waiverId === undefined ? { email: email ?? '' } : { waiverId };
}

/** Holds: they protect records from retention and erasure. */
@injectable()
export class GuestRecordRoutes implements RouteModule {
  constructor(@inject(GuestStore) readonly store: GuestStore) {}

  addRoutes(app: HostApp): void {
    const { holds } = this.store;

    app.route({
      ...putWaiverHold,
      handler: async ({ params: { pool, id }, body: { reason }, caller }) => {
        await requirePool(this, pool);
        const hold = await holds.place(pool, id, { reason, by: personOf(caller).actor });
        if (hold === undefined) throw await missingWaiver(this, pool, id);
        return holdAnswer(hold, true);
      },
    });

    app.route({
      ...deleteWaiverHold,
      handler: async ({ params: { pool, id } }, reply) => {
        await requirePool(this, pool);
        if (!(await holds.release(pool, id))) throw await missingWaiver(this, pool, id);
        return reply.code(204).send(null);
      },
    });

    this.addErasures(app);
    this.addExport(app);
  }

  private addErasures(app: HostApp): void {
    const { erasures } = this.store.guests;

    app.route({
      ...createErasure,
      handler: async ({ params: { pool }, body, caller }, reply) => {
        await requirePool(this, pool);
        const result = await erasures.request(pool, guestOf(body), personOf(caller).actor);
        switch (result.outcome) {
          case 'not-found':
            throw waiverNotFound(body.waiverId ?? '');
          case 'held':
            throw waiverHeld(result.heldWaivers);
          case 'accepted':
            return reply.code(202).send(result.erasure);
        }
      },
    });

    app.route({
      ...listErasures,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOf(erasures.list(pool, query), (erasure) => erasure);
      },
    });

    app.route({
      ...readErasure,
      handler: async ({ params: { pool, id } }) => {
        await requirePool(this, pool);
        const erasure = await erasures.get(pool, id);
        if (erasure !== undefined) return erasure;
        throw new HttpProblem(404, 'erasure_not_found', 'This pool has no erasure with this id.');
      },
    });

    app.route({
      ...listErasedWaivers,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOrProblem(erasures.listWaivers(pool, query));
      },
    });
  }

  /** `GET /v1/admin/pools/{pool}/export`: everything stored about a guest. */
  private addExport(app: HostApp): void {
    const { guests, waivers } = this.store;
    app.route({
      ...exportGuest,
      handler: async ({ params: { pool }, query }, reply) => {
        await requirePool(this, pool);
        const { waiverId } = query;
        if (waiverId !== undefined && !(await waivers.get(pool, waiverId)))
          throw await missingWaiver(this, pool, waiverId);
        const guest = guestOf(query);
        const messages = await guests.exportMessages(pool, guest);
        return sendDocument(
          reply,
          documentOf(pool, guests.export(pool, guest), guests.exportLate(pool, guest), messages),
        );
      },
    });
  }
}

function waiverHeld(held: readonly string[]): HttpProblem {
  return new HttpProblem(
    409,
    'waiver_held',
    `A hold keeps ${held.map((id) => JSON.stringify(id)).join(', ')}: release it first, then ask again.`,
  );
}

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
  ofFeatures,
  versions,
  deliveries,
}: ExportedWaiver): AsyncGenerator<string> {
  const fields = {
    ...waiverRecordAnswer(record, true),
    hold: hold ? holdAnswer(hold, true) : null,
    evidence: evidence ?? null,
    ...ofFeatures,
  };
  yield `${JSON.stringify(fields).slice(0, -1)},"versions":`;
  yield* arrayOf(versions, (version) => [JSON.stringify(version)]);
  yield ',"deliveries":';
  yield* arrayOf(deliveries, (delivery) => [JSON.stringify(delivery)]);
  yield '}';
}

/** A document in the form of {@link exportSchema}, piece by piece. */
async function* documentOf(
  pool: string,
  waivers: AsyncIterable<ExportedWaiver>,
  late: ReturnType<Guests['exportLate']>,
  messages: Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ pool, exportedAt: new Date() }).slice(0, -1)},"waivers":`;
  yield* arrayOf(waivers, textsOfWaiver);
  yield ',"lateSignings":';
  yield* arrayOf(late, ({ body, ...one }) => [
    JSON.stringify({ ...one, signing: readKeptBody(body).signing ?? null }),
  ]);
  for (const [name, value] of Object.entries(messages))
    yield `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
  yield '}\n';
}

// Typed loosely: the handler returns a stream of text.
const sendDocument = (reply: FastifyReply, document: AsyncIterable<string>) =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-disposition', 'attachment; filename="guest.json"')
    .send(Readable.from(document));
