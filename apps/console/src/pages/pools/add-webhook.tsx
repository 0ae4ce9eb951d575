import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { dataOf, webhooksQuery } from '../../api/queries.ts';
import { type AuthDraft, AuthFields, authOf, emptyAuth } from '../../components/auth-fields.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';

interface Draft extends AuthDraft {
  readonly url: string;
  readonly properties: string;
  readonly signing: 'yes' | 'no';
}

const emptyDraft: Draft = {
  url: 'https://',
  ...emptyAuth,
  properties: '',
  signing: 'yes',
};

interface AddWebhookProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly pool: string;
}

/** Adds a webhook, and shows its signing secret this once. */
export function AddWebhook({ isOpen, onClose, pool }: AddWebhookProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/v1/admin/pools/{pool}/webhooks', {
          params: { path: { pool } },
          body: {
            url: draft.url.trim(),
            auth: authOf(draft),
            properties: wordsOf(draft.properties),
            signing: draft.signing === 'yes',
          },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksQuery(pool).queryKey }),
  });
  const close = () => {
    add.reset();
    setDraft(emptyDraft);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const errorOf = (path: string) => (add.error instanceof ApiProblem ? add.error.errorOf(path) : undefined);
  const isAdded = add.data !== undefined;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={texts.webhooks.add}
      lead={texts.webhooks.addLead}
      footer={
        isAdded ? (
          <Button onClick={close}>{texts.actions.done}</Button>
        ) : (
          <>
            <Button onClick={close}>{texts.actions.cancel}</Button>
            <Button type="submit" form="add-webhook" look="primary" isBusy={add.isPending}>
              {texts.webhooks.add}
            </Button>
          </>
        )
      }
    >
      {add.data === undefined ? (
        <form id="add-webhook" className={styles.form} onSubmit={submit}>
          <TextField
            label={texts.webhooks.url}
            type="url"
            required
            value={draft.url}
            onChange={(url) => change({ url })}
            error={errorOf('url')}
          />
          <AuthFields draft={draft} change={change} errorOf={errorOf} />
          <TextField
            label={texts.webhooks.properties}
            hint={texts.webhooks.propertiesHint}
            value={draft.properties}
            onChange={(properties) => change({ properties })}
          />
          <ChoiceField
            label={texts.webhooks.signing}
            hint={texts.webhooks.signingHint}
            value={draft.signing}
            choices={[
              ['yes', texts.actions.yes],
              ['no', texts.actions.no],
            ]}
            onChange={(signing) => change({ signing })}
          />
          {add.error === null ? null : <ProblemNotice error={add.error} />}
        </form>
      ) : (
        <>
          <Notice tone="good">{texts.webhooks.added}</Notice>
          {add.data.signingSecret === undefined ? null : (
            <SecretOnce secret={add.data.signingSecret} label={texts.webhooks.secret} />
          )}
        </>
      )}
    </Dialog>
  );
}
