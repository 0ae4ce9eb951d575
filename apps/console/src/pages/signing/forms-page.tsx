import { getRouteApi, Link } from '@tanstack/react-router';
import { formsQuery } from '../../api/queries.ts';
import type { FormItem } from '../../api/resources.ts';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { Page } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { ChoosePool } from '../../shell/shell.tsx';
import { texts } from '../../text/english.ts';
import styles from './forms.module.css';
import { NewForm } from './new-form.tsx';

/** Whether a form is published, and whether it has been edited since. */
export function FormStates({ form: { published, draft, archivedAt } }: { readonly form: FormItem }) {
  if (archivedAt !== null) return <Badge>Archived</Badge>;
  return (
    <span className={styles.row}>
      {published === null ? null : <Badge tone="good">Published</Badge>}
      {draft || published === null ? <Badge tone="warning">Draft</Badge> : null}
    </span>
  );
}

const columnsOf = (pool: string): readonly Column<FormItem>[] => [
  {
    heading: texts.fields.name,
    cell: ({ id, name }) => (
      <Link to="/forms/$pool/$form" params={{ pool, form: id }}>
        {name}
      </Link>
    ),
    onCard: 'title',
  },
  { heading: texts.fields.state, cell: (form) => <FormStates form={form} />, onCard: 'bare' },
  {
    heading: 'Newest version',
    cell: ({ id, published }) =>
      published === null ? null : (
        <Link to="/forms/$pool/$form/versions" params={{ pool, form: id }}>
          {texts.version(published)}
        </Link>
      ),
  },
];

const route = getRouteApi('/forms');

export function FormsPage() {
  const { pool } = route.useSearch();
  const { may } = useSession();
  return (
    <Page
      title={texts.pages.forms}
      lead="What guests sign. Those of a booking sign the oldest form for one of its activities, otherwise the oldest for all."
      actions={pool !== undefined && may('operator') ? <NewForm pool={pool} /> : undefined}
    >
      {pool === undefined ? (
        <ChoosePool />
      ) : (
        <TableCard
          key={pool}
          label={texts.pages.forms}
          columns={columnsOf(pool)}
          query={formsQuery(pool)}
          rowKey={({ id }) => id}
          none="No forms"
        >
          Guests sign a form on their phone. Add the first one from a template: the one for rafting has
          everything a form needs.
        </TableCard>
      )}
    </Page>
  );
}
