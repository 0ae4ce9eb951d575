import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { dataOf, poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { ProblemNotice } from '../../components/notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import { texts } from '../../text/english.ts';

interface AddPoolProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The pools there are: the call that adds one would also change one of the same id. */
  readonly known: readonly Pool[];
}

/** Adds a pool. */
export function AddPool({ isOpen, onClose, known }: AddPoolProps) {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const toast = useToast();
  const add = useMutation({
    mutationFn: () => {
      if (known.some((pool) => pool.id === id)) {
        throw new ApiProblem({ status: 409, code: 'pool_exists', message: texts.pools.exists });
      }
      return dataOf(api.PUT('/v1/admin/pools/{pool}', { params: { path: { pool: id } }, body: { name } }));
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: poolsQuery.queryKey });
      toast(texts.pools.added);
      close();
    },
  });
  const close = () => {
    add.reset();
    setId('');
    setName('');
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={texts.pools.add}
      footer={
        <>
          <Button onClick={close}>{texts.actions.cancel}</Button>
          <Button type="submit" form="add-pool" look="primary" isBusy={add.isPending}>
            {texts.pools.add}
          </Button>
        </>
      }
    >
      <form id="add-pool" className={styles.form} onSubmit={submit}>
        <TextField
          label={texts.pools.id}
          hint={texts.pools.idHint}
          value={id}
          onChange={setId}
          required
          maxLength={128}
        />
        <TextField label={texts.fields.name} value={name} onChange={setName} required maxLength={200} />
        {add.error === null ? null : <ProblemNotice error={add.error} />}
      </form>
    </Dialog>
  );
}
