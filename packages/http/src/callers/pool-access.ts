import type { PoolCheck } from '@waiver-service/api';
import type { FastifyRequest } from 'fastify';
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

/** Without pools: of all. */
interface OfPools {
  readonly pools?: readonly string[] | null | undefined;
}

interface PoolOf {
  poolOf(id: string): Promise<string | undefined>;
}

export interface PoolAccessServices {
  readonly store: {
    readonly alerts: { get(id: string): Promise<OfPools | undefined> };
    readonly deliveries: PoolOf & { recovery(id: string): Promise<OfPools | undefined> };
    readonly destinations: PoolOf;
  };
}

/** The pools that a resource belongs to; `undefined` if the id is unknown. */
export async function poolsOfResource(
  { store: { alerts, deliveries, destinations } }: PoolAccessServices,
  kind: Exclude<PoolCheck, 'by-handler' | 'none'>,
  id: string,
): Promise<readonly string[] | 'all' | undefined> {
  if (kind === 'alert') {
    const alert = await alerts.get(id);
    return alert && (alert.pools ?? 'all');
  }
  if (kind === 'recovery') {
    const recovery = await deliveries.recovery(id);
    return recovery && (recovery.pools ?? 'all');
  }
  const pool = await (kind === 'delivery' ? deliveries : destinations).poolOf(id);
  return pool === undefined ? undefined : [pool];
}

/**
 * Keeps a person to their pools, before the body is read: by the pool in the path, or by the pools of the resource that
 * it names.
 * @throws HttpProblem 403
 */
export async function requirePools(
  services: PoolAccessServices,
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
  const pools = await poolsOfResource(services, check, inPath(request, 'id') ?? '');
  // The route answers 404.
  if (pools !== undefined && !mayUseAll(person, pools)) throw otherPool();
}
