import type { Store } from '@waiver-service/store';
import { malformed } from '../http/http-problem.ts';

/** @throws HttpProblem 400 that names each unknown pool in the field `pools` */
export async function requirePoolsExist(
  { store }: { readonly store: Pick<Store, 'pools'> },
  pools: readonly string[],
): Promise<void> {
  const found = await Promise.all(pools.map((pool) => store.pools.get(pool)));
  const errors = pools.flatMap((pool, index) =>
    found[index] === undefined
      ? [{ path: `pools[${index}]`, message: `there is no pool ${JSON.stringify(pool)}` }]
      : [],
  );
  if (errors.length > 0) throw malformed(errors);
}
