import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { accessTokensQuery, dataOf } from '../../api/queries.ts';
import { type TokenScope, tokenScopes } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { endOfDay } from '../../components/end-of-day.ts';
import { TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { ProblemNotice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { texts } from '../../text/english.ts';

interface Draft {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** As the browser's date field has it: `2027-06-12`. */
  readonly lastDay: string;
}

const emptyDraft: Draft = { name: '', scopes: tokenScopes, lastDay: '' };

const bodyOf = ({ name, scopes, lastDay }: Draft) => ({
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  // In the order of the list, whatever the order of ticking.
  scopes: tokenScopes.filter((scope) => scopes.includes(scope)),
  ...(lastDay === '' ? {} : { expiresAt: endOfDay(lastDay) }),
});

interface AddAccessTokenProps {
  readonly pool: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes an access token that may do some things or all, and shows it this once. */
export function AddAccessToken({ pool, isOpen, onClose }: AddAccessTokenProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/v1/admin/pools/{pool}/access-tokens', {
          params: { path: { pool } },
          body: bodyOf(draft),
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: accessTokensQuery(pool).queryKey }),
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
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={texts.accessTokens.add}
      footer={
        add.data === undefined ? (
          <>
            <Button onClick={close}>{texts.actions.cancel}</Button>
            <Button
              type="submit"
              form="add-access-token"
              look="primary"
              isBusy={add.isPending}
              disabled={draft.scopes.length === 0}
            >
              {texts.accessTokens.add}
            </Button>
          </>
        ) : (
          <Button onClick={close}>{texts.actions.done}</Button>
        )
      }
    >
      {add.data === undefined ? (
        <form id="add-access-token" className={styles.form} onSubmit={submit}>
          <TextField
            label={texts.fields.name}
            hint={texts.accessTokens.nameHint}
            maxLength={200}
            value={draft.name}
            onChange={(name) => change({ name })}
            error={errorOf('name')}
          />
          <CheckList
            label={texts.accessTokens.rights}
            choices={tokenScopes.map((scope) => [scope, ...texts.accessTokens.scopes[scope]] as const)}
            chosen={draft.scopes}
            onChange={(scopes) => change({ scopes })}
          />
          <TextField
            label={texts.people.lastDay}
            hint={texts.people.lastDayHint}
            type="date"
            value={draft.lastDay}
            onChange={(lastDay) => change({ lastDay })}
            error={errorOf('expiresAt')}
          />
          {add.error === null ? null : <ProblemNotice error={add.error} />}
        </form>
      ) : (
        <SecretOnce secret={add.data.token} label={texts.accessTokens.secret} />
      )}
    </Dialog>
  );
}
