import {
  type PoolCheck,
  type Role,
  type RouteAccess,
  type RouteConfig,
  type TokenScope,
  tokenScopes,
} from '@waiver-service/api';
import type { Actor } from '@waiver-service/waivers';
import type { FastifyRequest, RouteOptions } from 'fastify';
import type { ServiceIdentifier } from 'inversify';
import { HttpProblem } from '../answers/problems.ts';
import type { HostApp } from '../app/host-app.ts';

/** Who makes a request. Each feature that identifies callers has a kind of its own. */
export interface Caller {
  readonly kind: string;
  /** Who it is in logs: `credential:<id>`, `check-in-link:<id>`. */
  readonly actor: string;
  readonly name: string | null;
  /** The only pool that it acts for; undefined for people and booking systems. */
  readonly pool?: string;
  /** Whether a response may contain guests' data: contacts, messages and, for people, answers. */
  readonly seesGuests: boolean;
}

/** A person, or a program, who operates the service. */
export interface Person extends Caller {
  readonly kind: 'person';
  readonly name: string;
  readonly role: Role;
  readonly pools: 'all' | readonly string[];
  /** Vouches for the person: the admin token, an OpenID Connect issuer, or a credential, by its id. */
  readonly proof: 'admin-token' | 'issuer' | { readonly credential: string };
}

export const isPerson = (caller: Caller | null): caller is Person => caller?.kind === 'person';

/** The person who makes a request, on a route for people. */
export function personOf(caller: Caller | null): Person {
  if (!isPerson(caller)) throw new Error('this route is for people');
  return caller;
}

/** Who makes a change of a waiver, for its versions. */
export const changeActorOf = (caller: Caller | null): Actor | undefined =>
  caller === null ? undefined : { id: caller.actor, name: caller.name };

/** Who signs, for the versions of waivers. */
export const signingActorOf = (caller: Caller | null): Actor =>
  changeActorOf(caller) ?? { id: 'check-in', name: null };

const ranks: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, owner: 2 };

/** Whether a role may do what `least` may. */
export const isAtLeast = (role: Role, least: Role): boolean => ranks[role] >= ranks[least];

/** Whether a response may contain guests' data. See {@link Caller.seesGuests}. */
export const seesGuests = (caller: Caller | null): boolean => caller?.seesGuests ?? false;

/** The bearer token of a request, if it has one. */
export const bearerToken = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer +([^\s]{1,1024})$/i.exec(headers.authorization ?? '')?.[1];

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {}
  interface FastifyRequest {
    /** Who called; `null` on routes with access `public`, and until a booking system's key is verified. */
    caller: Caller | null;
  }
}

/** Whether a route is for people with a role. */
export const isRole = (access: RouteAccess | undefined): access is Role =>
  access === 'owner' || access === 'operator' || access === 'viewer';

const scopes: ReadonlySet<RouteAccess | undefined> = new Set(tokenScopes);

/** Whether a route is for waiver apps whose token has a scope. */
export const isScope = (access: RouteAccess | undefined): access is TokenScope => scopes.has(access);

/** Whether requests of a method only read. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

function missingIn({ url, method, config = {} }: RouteOptions): string | undefined {
  const { access, poolCheck } = config;
  const namesPool = url.includes('/:pool');
  if (access === undefined) return `The route ${url} does not say who may call it.`;
  if (isScope(access) && !namesPool) return `The route ${url} names no pool.`;
  if ((access === 'operator' || access === 'viewer') && !namesPool && poolCheck === undefined) {
    return `The route ${url} does not say how it is kept to the caller's pools (poolCheck).`;
  }
  if (access === 'viewer' && ![method].flat().every(isReading)) {
    return `The route ${url} lets a viewer do more than read.`;
  }
  return undefined;
}

/**
 * Keeps the app from starting if a route does not declare its access, or which pools it is about: none is open by
 * oversight.
 */
export function requireDeclaredAccess(app: HostApp): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const [missing] = routes.map(missingIn).filter((sentence) => sentence !== undefined);
    if (missing !== undefined) throw new Error(missing);
  });
}

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
