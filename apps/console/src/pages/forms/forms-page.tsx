import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { formsQuery } from '../../api/queries.ts';
import type { FormItem } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { type Column, QueryTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSession } from '../../session/session.tsx';
import { ChoosePool } from '../../shell/choose-pool.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { FormStates } from './form-states.tsx';
import { NewForm } from './new-form.tsx';

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
    heading: formsTexts.newestVersion,
    cell: ({ id, published }) =>
      published === null ? null : (
        <Link to="/forms/$pool/$form/versions" params={{ pool, form: id }}>
          {formsTexts.version(published)}
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
      lead={formsTexts.lead}
      actions={pool !== undefined && may('operator') ? <NewForm pool={pool} /> : undefined}
    >
      {pool === undefined ? <ChoosePool /> : <FormList key={pool} pool={pool} />}
    </Page>
  );
}

function FormList({ pool }: { readonly pool: string }) {
  const forms = useQuery(formsQuery(pool));
  return (
    <Card isFlush>
      <QueryTable
        label={texts.pages.forms}
        columns={columnsOf(pool)}
        query={forms}
        rows={forms.data}
        rowKey={({ id }) => id}
        empty={<Empty title={formsTexts.none}>{formsTexts.noneHint}</Empty>}
      />
    </Card>
  );
}
