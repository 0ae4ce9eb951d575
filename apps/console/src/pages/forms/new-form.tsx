import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { useChange } from '../../components/use-change.ts';
import { formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { emptyContent } from './edit-content.ts';

const loadTemplates = async () => (await import('./templates.ts')).templates;
const useTemplates = () =>
  useQuery({ queryKey: ['templates'], queryFn: loadTemplates, staleTime: Number.POSITIVE_INFINITY });

// The preselected template, offered before the others are loaded.
const defaultTrade = 'rafting';
const defaultTemplates = [{ trade: defaultTrade, name: formsTexts.defaultTemplate }];
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
      label={formsTexts.template}
      hint={formsTexts.templateHint}
      value={value}
      choices={[
        ...templates.map(({ trade, name }) => [trade, name] as const),
        [empty, formsTexts.emptyTemplate] as const,
      ]}
      onChange={onChange}
    />
  );
}

/** Adds a form with a template's content, and opens it. */
export function NewForm({ pool }: { readonly pool: string }) {
  const navigate = useNavigate();
  return (
    <FormButton
      look="primary"
      title={formsTexts.add}
      lead={formsTexts.addLead}
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
      queryKey={formsQuery(pool).queryKey}
      done={formsTexts.added}
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint={formsTexts.nameHint}
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
    <Card title={formsTexts.start}>
      <Form sending={sending} submitLabel={formsTexts.use}>
        <TemplateChoice value={trade} onChange={setTrade} />
      </Form>
    </Card>
  );
}
