import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { api } from '../../api/client.ts';
import { auditQuery } from '../../api/queries.ts';
import type { AuditEntry } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Filters } from '../../components/filters.tsx';
import { Empty, Loading, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { useDebounced } from '../../components/use-debounced.ts';
import { usePagedRows } from '../../components/use-paged-rows.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { periods, sinceOf } from '../deliveries/delivery-search.ts';
import type { AuditSearch } from './audit-search.ts';

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', heading: texts.audit.at, cell: ({ at }) => <DateTime value={at} /> },
  { id: 'actor', heading: texts.audit.actor, cell: ({ actor, actorName }) => actorName ?? actor },
  { id: 'action', heading: texts.audit.action, cell: ({ action }) => <code>{action}</code> },
  { id: 'result', heading: texts.audit.result, cell: (entry) => <Result entry={entry} />, isMinor: true },
  { id: 'pool', heading: texts.fields.pool, cell: ({ pool }) => pool ?? '–', isMinor: true },
  {
    id: 'target',
    heading: texts.audit.target,
    cell: ({ target }) => (target === undefined ? '–' : <ShortId id={target} />),
    isMinor: true,
  },
  { id: 'address', heading: texts.audit.address, cell: ({ address }) => address, isMinor: true },
];
const keyOf = ({ id }: AuditEntry) => id;
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
  readonly filter: Parameters<typeof auditQuery>[0];
}

/** The entries that fit the filters, as a file. */
function Exports({ filter }: ExportsProps) {
  const save = useMutation({
    async mutationFn(format: 'csv' | 'ndjson') {
      const { data } = await api.GET('/v1/admin/audit/export', {
        params: { query: { ...filter, format } },
        parseAs: 'blob',
      });
      if (data instanceof Blob) saveFile(data, `audit-log.${format}`);
    },
  });
  return (
    <>
      {(['csv', 'ndjson'] as const).map((format) => (
        <Button key={format} isBusy={save.isPending} onClick={() => save.mutate(format)}>
          {texts.audit.exports[format]}
        </Button>
      ))}
      {save.error === null ? null : <ProblemNotice error={save.error} />}
    </>
  );
}

// A link alone could not send the header that the host asks for.
function saveFile(data: Blob, name: string): void {
  const address = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Who changed what and who read whom. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { period, ...filter } = search;
  const list = useInfiniteQuery(auditQuery({ ...filter, since: sinceOf(period) }));
  const { rows, onEnd, footer } = usePagedRows(list);
  const { may } = useSession();
  const change = useCallback(
    (changes: Partial<AuditSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...changes }), replace: true }),
    [navigate],
  );
  const applyAction = useCallback((text: string) => change({ action: text.trim() || undefined }), [change]);
  const applyActor = useCallback((text: string) => change({ actor: text.trim() || undefined }), [change]);
  const applyTarget = useCallback((text: string) => change({ target: text.trim() || undefined }), [change]);
  const [target, setTarget] = useDebounced(search.target ?? '', applyTarget);
  const [action, setAction] = useDebounced(search.action ?? '', applyAction);
  const [actor, setActor] = useDebounced(search.actor ?? '', applyActor);
  return (
    <Page
      title={texts.pages.audit}
      lead={texts.audit.lead}
      actions={may('owner') ? <Exports filter={{ ...filter, since: sinceOf(period) }} /> : undefined}
    >
      <Card isFlush>
        <Filters>
          <TextField
            label={texts.audit.action}
            hint={texts.audit.actionHint}
            type="search"
            value={action}
            onChange={setAction}
          />
          <TextField
            label={texts.audit.actor}
            hint={texts.audit.actorHint}
            type="search"
            value={actor}
            onChange={setActor}
          />
          <TextField
            label={texts.audit.target}
            hint={texts.audit.targetHint}
            type="search"
            value={target}
            onChange={setTarget}
          />
          <ChoiceField
            label={texts.filters.period}
            value={search.period ?? ''}
            choices={[['', texts.filters.any], ...periods.map((one) => [one, texts.periods[one]] as const)]}
            onChange={(chosen) => change({ period: chosen || undefined })}
          />
        </Filters>
        {list.error === null ? null : <ProblemNotice error={list.error} retry={() => void list.refetch()} />}
        {list.isPending ? <Loading /> : null}
        {list.isSuccess && rows.length === 0 ? (
          <Empty title={texts.audit.none} />
        ) : (
          <DataTable
            label={texts.pages.audit}
            columns={columns}
            rows={rows}
            rowKey={keyOf}
            onEnd={onEnd}
            footer={footer}
          />
        )}
      </Card>
    </Page>
  );
}
