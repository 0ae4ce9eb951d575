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
import { type ExportFormat, wholeExport } from './whole-export.ts';

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
