import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { compareForms, type FormContent, type Item } from '@waiver-service/forms';
import { formQuery, formVersionQuery, formVersionsQuery } from '../../api/queries.ts';
import type { FormDetail, FormVersion } from '../../api/resources.ts';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Card, Loaded, Page } from '../../components/layout.tsx';
import { Badge, type Tone } from '../../components/notice.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { isEditable, titleOf } from './edit-content.ts';
import { fieldName } from './editing.tsx';
import styles from './forms.module.css';
import { Preview } from './preview.tsx';

interface FieldChange {
  /** Such as `label.de`, `options.yes.label.en`, `validity.days`. */
  readonly field: string;
  readonly former: unknown;
  readonly next: unknown;
}

/** A page, an item or the settings, with its differences. */
interface PartChange {
  readonly kind: 'item' | 'page' | 'settings';
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly item?: Item;
  readonly fields: readonly FieldChange[];
}

const allItems = ({ pages }: FormContent) => pages.flatMap(({ items }) => items);

/** Whether the common entries are in another order: adding or removing one does not count as moving the others. */
function isReordered(former: unknown, next: unknown): boolean {
  if (!Array.isArray(former) || !Array.isArray(next)) return false;
  const both = (ids: readonly unknown[], others: readonly unknown[]) =>
    ids.filter((id) => others.includes(id));
  return both(former, next).join('\n') !== both(next, former).join('\n');
}

const pageOf = ({ pages }: FormContent, item: string) =>
  pages.find(({ items }) => items.some(({ id }) => id === item))?.id;

const isOrder = (field: string) => field === 'order' || field === 'items';

/** The differences between two versions, item by item, in the order of the next version; removed items come last. */
export function formChanges(former: FormContent, next: FormContent): readonly PartChange[] {
  const groups = new Map<string, FieldChange[]>();
  for (const { path, former: before, next: after } of compareForms(former, next)) {
    const [, kind, id, field = ''] = /^(items|pages)\.([^.]+)(?:\.(.*))?$/.exec(path) ?? [];
    const key = kind === undefined ? 'settings' : `${kind}.${id}`;
    const change = { field: kind === undefined ? path : field, former: before, next: after };
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const partOf = (
    kind: PartChange['kind'],
    id: string,
    [wasThere, isThere]: readonly [boolean, boolean],
    item?: Item,
  ): PartChange[] => {
    const found = groups.get(kind === 'settings' ? kind : `${kind}s.${id}`) ?? [];
    const fields = found.filter(({ field }) => !isOrder(field));
    const change = !wasThere ? 'added' : !isThere ? 'removed' : fields.length > 0 ? 'changed' : 'moved';
    const hasMoved =
      found.some((one) => isOrder(one.field) && isReordered(one.former, one.next)) ||
      (wasThere && isThere && kind === 'item' && pageOf(former, id) !== pageOf(next, id));
    return fields.length > 0 || hasMoved ? [{ kind, id, change, item, fields }] : [];
  };
  const [before, after] = [allItems(former), allItems(next)];
  const idsOf = (parts: readonly { readonly id: string }[]) => parts.map(({ id }) => id);
  const [formerIds, nextIds] = [idsOf(before), idsOf(after)];
  const [formerPages, nextPages] = [idsOf(former.pages), idsOf(next.pages)];
  return [
    ...partOf('settings', '', [true, true]),
    ...[...new Set([...nextPages, ...formerPages])].flatMap((id) =>
      partOf('page', id, [formerPages.includes(id), nextPages.includes(id)]),
    ),
    ...after.flatMap((item) => partOf('item', item.id, [formerIds.includes(item.id), true], item)),
    ...before
      .filter(({ id }) => !nextIds.includes(id))
      .flatMap((item) => partOf('item', item.id, [true, false], item)),
  ];
}

const toneOf: Readonly<Record<PartChange['change'], Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warning',
  moved: 'neutral',
};

const shownValue = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** The differences between two versions, item by item. */
function ChangeList({ former, next }: { readonly former: FormContent; readonly next: FormContent }) {
  const changes = formChanges(former, next);
  if (changes.length === 0) return <p className="muted">Both are the same.</p>;
  const nameOf = ({ kind, id, item }: PartChange) => {
    if (kind === 'settings') return formsTexts.settings;
    if (item !== undefined) return titleOf(item, next.languages) || formsTexts.types[item.type];
    const index = next.pages.findIndex((page) => page.id === id);
    return index === -1 ? id : formsTexts.page(index + 1);
  };
  return (
    <ul className={styles.changes}>
      {changes.map((part) => (
        <li key={`${part.kind} ${part.id}`}>
          <p className={styles.row}>
            <strong>{nameOf(part)}</strong>
            <Badge tone={toneOf[part.change]}>{formsTexts.changed[part.change]}</Badge>
            {part.kind === 'settings' ? null : <code>{part.id}</code>}
          </p>
          <dl>
            {part.fields.map(({ field, former: before, next: after }) => (
              <div key={field}>
                <dt>{fieldName(field)}</dt>
                <dd>
                  {before === undefined ? null : <del>{shownValue(before)}</del>}
                  {after === undefined ? null : <ins>{shownValue(after)}</ins>}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const columns: readonly Column<FormVersion>[] = [
  {
    heading: texts.fields.version,
    cell: ({ version }) => (
      <Link to="." search={(search) => ({ ...search, version: String(version), former: undefined })}>
        {texts.version(version)}
      </Link>
    ),
    onCard: 'title',
  },
  { heading: 'Published by', cell: ({ publishedBy }) => publishedBy },
  { heading: 'Published', cell: ({ publishedAt }) => <DateTime value={publishedAt} /> },
  { heading: 'SHA-256', cell: ({ hash }) => <code title={hash}>{hash.slice(0, 12)}…</code> },
];

const route = getRouteApi('/forms/$pool/$form/versions');

/** A form's versions: who published each, a preview of one, and the differences between two. */
export function VersionsPage() {
  const { pool, form: id } = route.useParams();
  const query = formVersionsQuery(pool, id);
  const { data: versions } = useQuery(query);
  return (
    <Loaded query={formQuery(pool, id)}>
      {(found) => (
        <Page
          title={`Versions of ${found.name}`}
          lead={
            <Link to="/forms/$pool/$form" params={{ pool, form: id }}>
              {found.name}
            </Link>
          }
        >
          <TableCard
            label={formsTexts.versions}
            columns={columns}
            query={query}
            rowKey={({ version }) => String(version)}
            none="Not published yet"
          >
            Each version is kept as guests signed it, with who published it and when.
          </TableCard>
          {versions === undefined ? null : <Comparison pool={pool} form={found} versions={versions} />}
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
    version === 'draft' ? formsTexts.draft : texts.version(Number(version));
  return (
    <div className={styles.editor}>
      <div className={styles.column}>
        <Card title="Changes">
          <div className={styles.settings}>
            <div className={styles.fields}>
              <ChoiceField
                label="Shown"
                value={shown}
                choices={offered.map((one) => [one, nameOf(one)])}
                onChange={(version) => void navigate({ search: (now) => ({ ...now, version }) })}
              />
              <ChoiceField
                label="Compared with"
                value={former}
                choices={[...offered.map((one) => [one, nameOf(one)] as const), ['none', 'Nothing']]}
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
