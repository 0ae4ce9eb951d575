import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { dataOf, poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { Empty, Loading, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

const columns: readonly Column<Pool>[] = [
  {
    id: 'name',
    heading: texts.fields.name,
    cell: ({ id, name }) => (
      <Link to="/pools/$pool" params={{ pool: id }}>
        {name}
      </Link>
    ),
  },
  { id: 'id', heading: texts.fields.id, cell: ({ id }) => <code>{id}</code> },
  {
    id: 'system',
    heading: texts.pools.defaultSystem,
    cell: ({ defaultBookingSystem }) => defaultBookingSystem ?? '–',
    isMinor: true,
  },
  {
    id: 'created',
    heading: texts.fields.created,
    cell: ({ createdAt }) => <DateTime value={createdAt} />,
    isMinor: true,
  },
];
const keyOf = ({ id }: Pool) => id;

/** The pools: each is one operator's waiver app. */
export function PoolsPage() {
  const { data: pools, error, refetch } = useQuery(poolsQuery);
  const { may, me } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page
      title={texts.pages.pools}
      lead={texts.pools.lead}
      actions={
        may('operator') && me.pools === null ? (
          <Button look="primary" onClick={() => setIsAdding(true)}>
            {texts.pools.add}
          </Button>
        ) : undefined
      }
    >
      <Card isFlush>
        {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
        {pools === undefined && error === null ? <Loading /> : null}
        {pools?.length === 0 ? <Empty title={texts.pools.none}>{texts.pools.noneHint}</Empty> : null}
        {pools === undefined || pools.length === 0 ? null : (
          <DataTable label={texts.pages.pools} columns={columns} rows={pools} rowKey={keyOf} />
        )}
      </Card>
      <AddPool isOpen={isAdding} onClose={() => setIsAdding(false)} known={pools ?? []} />
    </Page>
  );
}

interface AddPoolProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The pools there are: the call that adds one would also change one of the same id. */
  readonly known: readonly Pool[];
}

function AddPool({ isOpen, onClose, known }: AddPoolProps) {
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
