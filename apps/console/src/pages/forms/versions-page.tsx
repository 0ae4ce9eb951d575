import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { FormContent } from '@waiver-service/forms';
import { formQuery, formVersionQuery, formVersionsQuery } from '../../api/queries.ts';
import type { FormDetail, FormVersion } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { type Column, QueryTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { ChangeList } from './change-list.tsx';
import styles from './forms.module.css';
import { Preview } from './preview.tsx';
import { isEditable } from './read-content.ts';

const columns: readonly Column<FormVersion>[] = [
  {
    heading: texts.fields.version,
    cell: ({ version }) => (
      <Link to="." search={(search) => ({ ...search, version: String(version), former: undefined })}>
        {formsTexts.version(version)}
      </Link>
    ),
    onCard: 'title',
  },
  { heading: formsTexts.publishedBy, cell: ({ publishedBy }) => publishedBy },
  { heading: formsTexts.publishedAt, cell: ({ publishedAt }) => <DateTime value={publishedAt} /> },
  {
    heading: formsTexts.hash,
    cell: ({ hash }) => <code title={hash}>{hash.slice(0, 12)}…</code>,
  },
];

const route = getRouteApi('/forms/$pool/$form/versions');

/** A form's versions: who published each, a preview of one, and the differences between two. */
export function VersionsPage() {
  const { pool, form: id } = route.useParams();
  const form = useQuery(formQuery(pool, id));
  const versions = useQuery(formVersionsQuery(pool, id));
  return (
    <Loaded query={form}>
      {(found) => (
        <Page
          title={formsTexts.versionsOf(found.name)}
          lead={
            <Link to="/forms/$pool/$form" params={{ pool, form: id }}>
              {found.name}
            </Link>
          }
        >
          <Card isFlush>
            <QueryTable
              label={formsTexts.versions}
              columns={columns}
              query={versions}
              rows={versions.data}
              rowKey={({ version }) => String(version)}
              empty={<Empty title={formsTexts.noVersions}>{formsTexts.noVersionsHint}</Empty>}
            />
          </Card>
          {versions.data === undefined ? null : (
            <Comparison pool={pool} form={found} versions={versions.data} />
          )}
        </Page>
      )}
    </Loaded>
  );
}

interface ComparisonProps {
  readonly pool: string;
  readonly form: FormDetail;
  readonly versions: readonly FormVersion[];
}

function Comparison({ pool, form, versions }: ComparisonProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const numbers = versions.map(({ version }) => String(version));
  const offered = [...(form.draft ? ['draft'] : []), ...numbers];
  const shown = offered.find((one) => one === search.version) ?? offered[0];
  const earlier = offered.slice(offered.indexOf(shown ?? '') + 1);
  const former = [...offered, 'none'].find((one) => one === search.former) ?? earlier[0] ?? 'none';
  const after = useContent(pool, form, shown);
  const before = useContent(pool, form, former);
  if (shown === undefined) return null;
  const nameOf = (version: string) =>
    version === 'draft' ? formsTexts.draft : formsTexts.version(Number(version));
  return (
    <div className={styles.editor}>
      <div className={styles.column}>
        <Card title={formsTexts.changes}>
          <div className={styles.settings}>
            <div className={styles.fields}>
              <ChoiceField
                label={formsTexts.shown}
                value={shown}
                choices={offered.map((one) => [one, nameOf(one)])}
                onChange={(version) => void navigate({ search: (now) => ({ ...now, version }) })}
              />
              <ChoiceField
                label={formsTexts.comparedWith}
                value={former}
                choices={[...offered.map((one) => [one, nameOf(one)] as const), ['none', formsTexts.nothing]]}
                onChange={(version) => void navigate({ search: (now) => ({ ...now, former: version }) })}
              />
            </div>
            {before === undefined || after === undefined ? null : <ChangeList former={before} next={after} />}
          </div>
        </Card>
      </div>
      {after === undefined ? null : (
        <div className={`${styles.side} ${styles.previewed}`}>
          <Preview pool={pool} content={after} />
        </div>
      )}
    </div>
  );
}

/** The content of the draft, or of a version. */
function useContent(pool: string, form: FormDetail, version: string | undefined): FormContent | undefined {
  const number = Number(version);
  const { data } = useQuery({
    ...formVersionQuery(pool, form.id, number),
    enabled: Number.isInteger(number),
  });
  const content: unknown = version === 'draft' ? form.content : data?.content;
  return isEditable(content) ? content : undefined;
}
