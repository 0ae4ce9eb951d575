import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { periods, sinceOf } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { auditQuery } from '../../api/queries.ts';
import type { AuditEntry } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { saveFile } from '../../components/dialog.tsx';
import { bind, choicesOf } from '../../components/field.tsx';
import { FilterChoice, Filters, FilterText } from '../../components/filters.tsx';
import { Card, Page } from '../../components/layout.tsx';
import { ShortId } from '../../components/names.tsx';
import { Badge, Empty, ProblemNotice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** The API's limit of one export. */
const maxExported = 100_000;

// Entries are in the order of their ids, which are made by the clocks of several hosts; their times are the database's.
const overlapMs = 5 * 60_000;

interface ExportedEntry {
  /** Ids are in the order of the export, descending. */
  readonly id: string;
  readonly at: string;
  /** All of it, with its line break. */
  readonly text: string;
}

// A line break in quotes is part of a field. The id and the time, which come first, have no quotes.
const csvRecord = /(?:"[^"]*"|[^"\n])*\n/g;

function csvEntries(text: string): ExportedEntry[] {
  const [, ...records] = text.match(csvRecord) ?? [];
  return records.map((record) => {
    const [id = '', at = ''] = record.split(',', 2);
    return { id, at, text: record };
  });
}

function lineEntries(text: string): ExportedEntry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { id, at }: { id: string; at: string } = JSON.parse(line);
      return { id, at, text: `${line}\n` };
    });
}

const entriesOf = { csv: csvEntries, ndjson: lineEntries };
const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/**
 * Exports every entry, although one export returns only the newest: the next one begins a little after the last entry's
 * time, so that none is missing, and what both contain is left out.
 *
 * @param readPart - exports the entries before a time
 */
export async function wholeExport(
  format: ExportFormat,
  readPart: (until: string | undefined) => Promise<string>,
  limit = maxExported,
): Promise<Blob> {
  const first = await readPart(undefined);
  // The browser may keep blobs on disk.
  const parts = [new Blob([first])];
  let entries = entriesOf[format](first);
  let last = entries.at(-1);
  while (last !== undefined && entries.length >= limit) {
    const { id: lastId, at } = last;
    entries = entriesOf[format](await readPart(new Date(Date.parse(at) + overlapMs).toISOString()));
    const older = entries.filter(({ id }) => id < lastId);
    if (older.length === 0 && entries.length >= limit) {
      throw new Error('more entries at about the same time than one export holds');
    }
    parts.push(new Blob([older.map(({ text }) => text).join('')]));
    last = older.at(-1);
  }
  return new Blob(parts, { type: types[format] });
}

const columns: readonly Column<AuditEntry>[] = [
  { heading: 'When', cell: ({ at }) => <DateTime value={at} /> },
  { heading: 'Who', cell: ({ actor, actorName }) => actorName ?? actor },
  { heading: 'What', cell: ({ action }) => <code>{action}</code>, onCard: 'title' },
  { heading: 'Result', cell: (entry) => <Result entry={entry} />, onCard: 'bare' },
  { heading: texts.fields.pool, cell: ({ pool }) => pool },
  { heading: 'Target', cell: ({ target }) => target && <ShortId id={target} /> },
  { heading: 'Address', cell: ({ address }) => address },
];
const route = getRouteApi('/audit');

function Result({ entry: { status } }: { readonly entry: AuditEntry }) {
  if (status === undefined) return <Badge tone="warning">Running</Badge>;
  return status < 400 ? <Badge tone="good">Done</Badge> : <Badge tone="bad">{`Refused (${status})`}</Badge>;
}

const formats = [
  ['csv', 'Export as CSV'],
  ['ndjson', 'Export as JSON lines'],
] as const;

function Exports() {
  const { period, ...filter } = route.useSearch();
  const save = useMutation({
    async mutationFn(format: ExportFormat) {
      const since = sinceOf(period);
      const log = await wholeExport(format, async (until) => {
        const query = { ...filter, since, until, format };
        return call('GET', '/v1/admin/audit/export', { query, parseAs: 'text' });
      });
      saveFile(log, `audit-log.${format}`);
    },
  });
  return (
    <>
      {formats.map(([format, label]) => (
        <Button key={format} isBusy={save.isPending} onClick={() => save.mutate(format)}>
          {label}
        </Button>
      ))}
      <ProblemNotice error={save.error} />
    </>
  );
}

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useSession();
  const filter = bind(search, (next) => void navigate({ search: next, replace: true }));
  return (
    <Page
      title={texts.pages.audit}
      lead="Who changed what, and who read whose data. Entries cannot be changed."
      actions={may('owner') ? <Exports /> : undefined}
    >
      <Card isFlush>
        <Filters values={[search.action, search.actor, search.target, search.period]}>
          <FilterText
            label="What"
            hint="For example webhook.create, or webhook for all webhook actions"
            {...filter('action')}
          />
          <FilterText label="Who" hint="For example a name, or admin-token" {...filter('actor')} />
          <FilterText label="Target" hint="Part of an id" {...filter('target')} />
          <FilterChoice
            label={texts.fields.period}
            choices={choicesOf(periods, texts.periods)}
            {...filter('period')}
          />
        </Filters>
        <PagedTable
          label={texts.pages.audit}
          columns={columns}
          query={auditQuery(search)}
          rowKey={({ id }) => id}
          empty={
            <Empty title="No entries match these filters">
              Every change and every access to a guest’s data is listed here. Widen the period or remove a
              filter.
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}
