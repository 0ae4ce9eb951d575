import type { Store } from '@waiver-service/store';
import { unknownPool } from '../http/http-problem.ts';

/** @throws HttpProblem 404 for an unknown pool */
export async function requirePool(
  { store }: { readonly store: Pick<Store, 'pools'> },
  pool: string,
): Promise<void> {
  if (!(await store.pools.get(pool))) throw unknownPool(pool);
}
