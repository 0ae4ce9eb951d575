import { useQuery } from '@tanstack/react-query';
import { poolsQuery } from '../api/queries.ts';

/** The names of pools; their ids until the names are known. */
export function PoolNames({ ids }: { readonly ids: readonly string[] }) {
  const { data = [] } = useQuery(poolsQuery);
  return ids.map((id) => data.find((pool) => pool.id === id)?.name ?? id).join(', ');
}

export function PoolName({ id }: { readonly id: string }) {
  return <PoolNames ids={[id]} />;
}
