import { malformed, unknownPool } from '@waiver-service/http';
import { AddressRefused } from '@waiver-service/outbound';
import type { Outbound, Store } from '../given.ts';

/** @throws HttpProblem 404 for an unknown pool */
export async function requirePool(
  { store }: { readonly store: Pick<Store, 'pools'> },
  pool: string,
): Promise<void> {
  if (!(await store.pools.get(pool))) throw unknownPool(pool);
}

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

/**
 * Checks an address that an operator configures.
 * @throws HttpProblem 400 that names the field and says why the address is refused
 */
export async function checkAddress(
  { outbound }: { readonly outbound: Pick<Outbound, 'checkUrl'> },
  field: string,
  url: string,
): Promise<void> {
  try {
    await outbound.checkUrl(url);
  } catch (error) {
    if (error instanceof AddressRefused) throw malformed([{ path: field, message: error.message }]);
    throw error;
  }
}
