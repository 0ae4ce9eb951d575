import type { PoolCheck } from '@waiver-service/api';
import type { FastifyRequest } from 'fastify';
import type { ServiceIdentifier } from 'inversify';
import { HttpProblem } from '../answers/http-problem.ts';
import { type Caller, type Person, personOf } from './caller.ts';

const otherPool = () =>
  new HttpProblem(403, 'forbidden', 'This is of a pool that the token has no access to.');

function mayUseAll({ pools }: Person, wanted: readonly string[] | 'all'): boolean {
  if (pools === 'all') return true;
  return wanted !== 'all' && wanted.every((pool) => pools.includes(pool));
}

/** A parameter in the path, such as `:pool`. */
export function inPath({ params }: FastifyRequest, name: string): string | undefined {
  const value = Object.entries(Object(params)).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/**
 * The pools that a response may cover, out of those requested; `undefined` for all.
 * @throws HttpProblem 403 if the requested pool is not one of the caller's
 */
export function poolsToShow(caller: Caller | null, requested?: string): readonly string[] | undefined {
  const person = personOf(caller);
  if (requested !== undefined) {
    if (!mayUseAll(person, [requested])) throw otherPool();
    return [requested];
  }
  return person.pools === 'all' ? undefined : person.pools;
}

/**
 * Keeps a person to their pools if the body names the pools.
 * @throws HttpProblem 403
 */
export function requireOwnPools(caller: Caller | null, wanted: readonly string[] | 'all'): void {
  if (mayUseAll(personOf(caller), wanted)) return;
  throw new HttpProblem(403, 'forbidden', 'The token has no access to these pools: name some of your pools.');
}

type ResourceKind = Exclude<PoolCheck, 'by-handler' | 'none'>;

/** Finds the pools that the resources of a kind belong to. Each feature binds those of its kinds. */
export interface PoolFinder {
  readonly kind: ResourceKind;
  /** `undefined` if the id is unknown. */
  find(id: string): Promise<readonly string[] | 'all' | undefined>;
}
export const PoolFinder: ServiceIdentifier<PoolFinder> = Symbol('PoolFinder');

/** Finds the pools that a resource of any kind belongs to; `undefined` if the id is unknown. */
export type ResourcePools = (kind: ResourceKind, id: string) => ReturnType<PoolFinder['find']>;
export const ResourcePools: ServiceIdentifier<ResourcePools> = Symbol('ResourcePools');

/** @throws if no feature finds a kind, whose routes are then those of a feature that binds too little */
export const findPoolsBy =
  (finders: readonly PoolFinder[]): ResourcePools =>
  (kind, id) => {
    const finder = finders.find((each) => each.kind === kind);
    if (finder === undefined) throw new Error(`no feature of this host finds the pools of a ${kind}`);
    return finder.find(id);
  };

export interface PoolAccessServices {
  readonly resourcePools: ResourcePools;
}

/**
 * Keeps a person to their pools, before the body is read: by the pool in the path, or by the pools of the resource that
 * it names.
 * @throws HttpProblem 403
 */
export async function requirePools(
  { resourcePools }: PoolAccessServices,
  person: Person,
  request: FastifyRequest,
  check: PoolCheck | undefined,
): Promise<void> {
  if (person.pools === 'all') return;
  const pool = inPath(request, 'pool');
  if (pool !== undefined) {
    if (!mayUseAll(person, [pool])) throw otherPool();
    return;
  }
  if (check === 'none' || check === 'by-handler') return;
  if (check === undefined) throw otherPool();
  const pools = await resourcePools(check, inPath(request, 'id') ?? '');
  // The route answers 404.
  if (pools !== undefined && !mayUseAll(person, pools)) throw otherPool();
}
