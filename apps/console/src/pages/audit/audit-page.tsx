import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { periods, sinceOf } from '../../api/periods.ts';
import { auditQuery } from '../../api/queries.ts';
import type { AuditEntry } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { FilterChoice, Filters, FilterText } from '../../components/filters.tsx';
import { Empty, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { saveFile } from '../../components/save-file.ts';
import { ShortId } from '../../components/short-id.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import type { AuditSearch } from './audit-search.ts';
import { type ExportFormat, wholeExport } from './whole-export.ts';

const columns: readonly Column<AuditEntry>[] = [
  { heading: texts.audit.at, cell: ({ at }) => <DateTime value={at} /> },
  { heading: texts.audit.actor, cell: ({ actor, actorName }) => actorName ?? actor },
  { heading: texts.audit.action, cell: ({ action }) => <code>{action}</code>, onCard: 'title' },
  { heading: texts.audit.result, cell: (entry) => <Result entry={entry} />, onCard: 'bare' },
  { heading: texts.fields.pool, cell: ({ pool }) => pool },
  {
    heading: texts.audit.target,
    cell: ({ target }) => target && <ShortId id={target} />,
  },
  { heading: texts.audit.address, cell: ({ address }) => address },
];
const route = getRouteApi('/audit');

function Result({ entry: { status } }: { readonly entry: AuditEntry }) {
  if (status === undefined) return <Badge tone="warning">{texts.audit.running}</Badge>;
  return status < 400 ? (
    <Badge tone="good">{texts.audit.done}</Badge>
  ) : (
    <Badge tone="bad">{texts.audit.refused(status)}</Badge>
  );
}

interface ExportsProps {
  readonly search: AuditSearch;
}

function Exports({ search: { period, ...filter } }: ExportsProps) {
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
  const change = (changes: Partial<AuditSearch>) =>
    void navigate({ search: (former) => ({ ...former, ...changes }), replace: true });
  return (
    <Page
      title={texts.pages.audit}
      lead={texts.audit.lead}
      actions={may('owner') ? <Exports search={search} /> : undefined}
    >
      <Card isFlush>
        <Filters values={[search.action, search.actor, search.target, search.period]}>
          <FilterText
            label={texts.audit.action}
            hint={texts.audit.actionHint}
            value={search.action}
            onChange={(action) => change({ action })}
          />
          <FilterText
            label={texts.audit.actor}
            hint={texts.audit.actorHint}
            value={search.actor}
            onChange={(actor) => change({ actor })}
          />
          <FilterText
            label={texts.audit.target}
            hint={texts.audit.targetHint}
            value={search.target}
            onChange={(target) => change({ target })}
          />
          <FilterChoice
            label={texts.filters.period}
            value={search.period}
            choices={periods.map((one) => [one, texts.periods[one]] as const)}
            onChange={(chosen) => change({ period: chosen })}
          />
        </Filters>
        <PagedTable
          label={texts.pages.audit}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          empty={<Empty title={texts.audit.none}>{texts.audit.noneHint}</Empty>}
        />
      </Card>
    </Page>
  );
}
