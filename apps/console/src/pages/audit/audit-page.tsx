import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { periods, sinceOf } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { auditQuery } from '../../api/queries.ts';
import type { AuditEntry } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { choicesOf } from '../../components/field.tsx';
import { saveFile } from '../../components/file-button.tsx';
import { bindFilters, FilterChoice, Filters, FilterText } from '../../components/filters.tsx';
import { Card, Page } from '../../components/layout.tsx';
import { ShortId } from '../../components/names.tsx';
import { Badge, Empty, ProblemNotice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { type ExportFormat, wholeExport } from './whole-export.ts';

const columns: readonly Column<AuditEntry>[] = [
  { heading: 'When', cell: ({ at }) => <DateTime value={at} /> },
  { heading: texts.audit.actor, cell: ({ actor, actorName }) => actorName ?? actor },
  { heading: texts.audit.action, cell: ({ action }) => <code>{action}</code>, onCard: 'title' },
  { heading: 'Result', cell: (entry) => <Result entry={entry} />, onCard: 'bare' },
  { heading: texts.fields.pool, cell: ({ pool }) => pool },
  {
    heading: texts.audit.target,
    cell: ({ target }) => target && <ShortId id={target} />,
  },
  { heading: 'Address', cell: ({ address }) => address },
];
const route = getRouteApi('/audit');

function Result({ entry: { status } }: { readonly entry: AuditEntry }) {
  if (status === undefined) return <Badge tone="warning">Running</Badge>;
  return status < 400 ? <Badge tone="good">Done</Badge> : <Badge tone="bad">{`Refused (${status})`}</Badge>;
}

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
      {(['csv', 'ndjson'] as const).map((format) => (
        <Button key={format} isBusy={save.isPending} onClick={() => save.mutate(format)}>
          {texts.audit.exports[format]}
        </Button>
      ))}
      <ProblemNotice error={save.error} />
    </>
  );
}

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(auditQuery(search));
  const { may } = useSession();
  const filter = bindFilters(search, (next) => void navigate({ search: next, replace: true }));
  return (
    <Page
      title={texts.pages.audit}
      lead="Who changed what, and who read whose data. Entries cannot be changed."
      actions={may('owner') ? <Exports /> : undefined}
    >
      <Card isFlush>
        <Filters values={[search.action, search.actor, search.target, search.period]}>
          <FilterText
            label={texts.audit.action}
            hint="For example webhook.create, or webhook for all webhook actions"
            {...filter('action')}
          />
          <FilterText
            label={texts.audit.actor}
            hint="For example a name, or admin-token"
            {...filter('actor')}
          />
          <FilterText label={texts.audit.target} hint="Part of an id" {...filter('target')} />
          <FilterChoice
            label={texts.filters.period}
            choices={choicesOf(periods, texts.periods)}
            {...filter('period')}
          />
        </Filters>
        <PagedTable
          label={texts.pages.audit}
          columns={columns}
          list={list}
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
