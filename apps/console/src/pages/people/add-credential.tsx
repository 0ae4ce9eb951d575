import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { credentialsQuery, dataOf } from '../../api/queries.ts';
import type { Role } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { endOfDay } from '../../components/end-of-day.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { ProblemNotice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';

interface Draft {
  readonly name: string;
  readonly role: Role;
  readonly pools: string;
  /** As the browser's date field has it: `2027-06-12`. */
  readonly lastDay: string;
}

const emptyDraft: Draft = { name: '', role: 'operator', pools: '', lastDay: '' };
const roles = ['owner', 'operator', 'viewer'] as const satisfies readonly Role[];

function bodyOf({ name, role, pools, lastDay }: Draft) {
  const named = wordsOf(pools);
  return {
    name: name.trim(),
    role,
    ...(role === 'owner' || named.length === 0 ? {} : { pools: named }),
    ...(lastDay === '' ? {} : { expiresAt: endOfDay(lastDay) }),
  };
}

/** Makes a credential, and shows its token this once. */
export function AddCredential({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState(emptyDraft);
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/admin/credentials', { body: bodyOf(draft) })),
    onSuccess: () => queries.invalidateQueries({ queryKey: credentialsQuery.queryKey }),
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
      title={texts.people.add}
      footer={
        add.data === undefined ? (
          <>
            <Button onClick={close}>{texts.actions.cancel}</Button>
            <Button type="submit" form="add-credential" look="primary" isBusy={add.isPending}>
              {texts.people.add}
            </Button>
          </>
        ) : (
          <Button onClick={close}>{texts.actions.done}</Button>
        )
      }
    >
      {add.data === undefined ? (
        <form id="add-credential" className={styles.form} onSubmit={submit}>
          <TextField
            label={texts.fields.name}
            hint={texts.people.nameHint}
            required
            maxLength={200}
            value={draft.name}
            onChange={(name) => change({ name })}
            error={errorOf('name')}
          />
          <ChoiceField
            label={texts.people.role}
            hint={texts.people.roleHints[draft.role]}
            value={draft.role}
            choices={roles.map((role) => [role, texts.roles[role]] as const)}
            onChange={(role) => change({ role })}
          />
          {draft.role === 'owner' ? null : (
            <TextField
              label={texts.pages.pools}
              hint={texts.people.poolsHint}
              value={draft.pools}
              onChange={(pools) => change({ pools })}
              error={errorOf('pools') ?? errorOf('pools[0]')}
            />
          )}
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
        <SecretOnce secret={add.data.token} label={texts.signIn.token} />
      )}
    </Dialog>
  );
}
