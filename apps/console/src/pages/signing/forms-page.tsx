import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import type { FormItem } from '../../api/resources.ts';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { Form, FormButton, useChange } from '../../components/dialog.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Card, Page } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { ChoosePool } from '../../shell/shell.tsx';
import { texts } from '../../text/english.ts';
import { emptyContent } from './edit-content.ts';
import styles from './forms.module.css';

// The texts of twenty forms are loaded only when a template is chosen.
const loadTemplates = async () => (await import('@waiver-service/forms/examples')).exampleForms;
const useTemplates = () =>
  useQuery({ queryKey: ['templates'], queryFn: loadTemplates, staleTime: Number.POSITIVE_INFINITY });

// The preselected template, offered before the others are loaded.
const defaultTrade = 'rafting';
const defaultTemplates = [{ trade: defaultTrade, name: 'Rafting' }];
const empty = 'empty';

/** Stores a template's content as a form's draft. */
async function storeTemplate(pool: string, form: string, trade: string): Promise<void> {
  const templates = trade === empty ? [] : await loadTemplates();
  const content = templates.find((one) => one.trade === trade)?.content ?? emptyContent();
  await call('PUT', '/v1/admin/pools/:pool/forms/:form/draft', {
    params: { pool, form },
    body: { ...content },
  });
}

interface TemplateChoiceProps {
  readonly value: string;
  readonly onChange: (trade: string) => void;
}

function TemplateChoice({ value, onChange }: TemplateChoiceProps) {
  const { data: templates = defaultTemplates } = useTemplates();
  return (
    <ChoiceField
      label="Template"
      hint="Its texts are examples. Have counsel judge what your guests sign."
      value={value}
      choices={[
        ...templates.map(({ trade, name }) => [trade, name] as const),
        [empty, 'An empty form'] as const,
      ]}
      onChange={onChange}
    />
  );
}

/** Adds a form with a template's content, and opens it. */
function NewForm({ pool }: { readonly pool: string }) {
  const navigate = useNavigate();
  return (
    <FormButton
      look="primary"
      title="Add form"
      lead="Guests do not see it until it is published."
      initialDraft={{ name: '', template: defaultTrade }}
      isComplete={({ name }) => name.trim() !== ''}
      submit={async ({ name, template }) => {
        const { id } = await call('POST', '/v1/admin/pools/:pool/forms', {
          params: { pool },
          body: { name: name.trim() },
        });
        // If the draft cannot be stored, the form's own page offers the templates again.
        await storeTemplate(pool, id, template).catch(() => undefined);
        await navigate({ to: '/forms/$pool/$form', params: { pool, form: id } });
      }}
      done="Form added."
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint="For you: guests do not see it."
            required
            maxLength={200}
            {...field('name')}
          />
          <TemplateChoice {...field('template')} />
        </>
      )}
    </FormButton>
  );
}

interface StartWithTemplateProps {
  readonly pool: string;
  readonly form: string;
  readonly onStarted: () => void;
}

/** Fills a form without content, such as one created through the API. */
export function StartWithTemplate({ pool, form, onStarted }: StartWithTemplateProps) {
  const [trade, setTrade] = useState<string>(defaultTrade);
  const sending = useChange({
    async change() {
      await storeTemplate(pool, form, trade);
      onStarted();
    },
  });
  return (
    <Card title="Start with a template">
      <Form sending={sending} submitLabel="Use it">
        <TemplateChoice value={trade} onChange={setTrade} />
      </Form>
    </Card>
  );
}

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
