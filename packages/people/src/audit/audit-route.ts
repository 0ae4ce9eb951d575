import { Readable } from 'node:stream';
import { type AuditEntry, exportAuditEntries, listAuditEntries } from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { isAtLeast, pageOrProblem, personOf, poolsToShow } from '@waiver-service/http';
import { inject, injectable } from 'inversify';
import type { AuditFilter } from '../data/audit-log.ts';
import { PeopleStore } from '../data/people-store.ts';

type Field = string | number | Date | undefined;

// A spreadsheet evaluates a text that begins like this as a formula, and callers may have written it. Some read
// full-width and small signs as the usual ones, and skip white space and what cannot be seen before them.
const beginsFormula =
  /^[\t\r\n]|^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff1d\uff0b\uff0d\uff20]/u;

function csvField(field: Field): string {
  const text = field instanceof Date ? field.toISOString() : String(field ?? '');
  const shown = typeof field === 'string' && beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** A CSV line (RFC 4180). Texts that a spreadsheet would evaluate as formulas get a leading apostrophe. */
export const csvLine = (fields: readonly Field[]): string => `${fields.map(csvField).join(',')}\r\n`;

const columns = [
  'id',
  'at',
  'actor',
  'actorName',
  'action',
  'pool',
  'target',
  'status',
  'requestId',
  'address',
] as const satisfies readonly (keyof AuditEntry)[];

const maxExported = 100_000;
const exportedAtOnce = 1_000;

/** `GET /v1/admin/audit`: who did what, and who read whose data. */
@injectable()
export class AuditRoute implements RouteModule {
  constructor(@inject(PeopleStore) private readonly store: PeopleStore) {}

  addRoutes(app: HostApp): void {
    const { store } = this;

    app.route({
      ...listAuditEntries,
      handler: async ({ query: { limit, cursor, pool, ...filter }, caller }) => {
        const pools = poolsToShow(caller, pool);
        const ofPoolsOnly = !isAtLeast(personOf(caller).role, 'owner');
        return pageOrProblem(store.auditLog.list({ ...filter, pools, ofPoolsOnly }, { limit, cursor }));
      },
    });

    async function* entriesOf(filter: AuditFilter) {
      let cursor: string | undefined;
      for (let exported = 0; exported < maxExported; exported += exportedAtOnce) {
        const { items, next } = await store.auditLog.list(filter, { limit: exportedAtOnce, cursor });
        yield* items;
        if (next === null) return;
        cursor = next;
      }
    }

    async function* csvOf(filter: AuditFilter) {
      yield csvLine(columns);
      for await (const entry of entriesOf(filter)) yield csvLine(columns.map((column) => entry[column]));
    }

    async function* linesOf(filter: AuditFilter) {
      for await (const entry of entriesOf(filter)) yield `${JSON.stringify(entry)}\n`;
    }

    app.route({
      ...exportAuditEntries,
      handler: ({ query: { format, pool, ...filter }, caller }, reply) => {
        const entries = { ...filter, pools: poolsToShow(caller, pool), ofPoolsOnly: false };
        const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
        reply.headers({
          'content-type': `${type}; charset=utf-8`,
          'content-disposition': `attachment; filename="audit-log.${format}"`,
          'cache-control': 'no-store',
        });
        return reply.send(Readable.from(format === 'csv' ? csvOf(entries) : linesOf(entries)));
      },
    });
  }
}
