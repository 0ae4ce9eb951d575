import type { Role } from '@waiver-service/api';
import type { Actor } from '@waiver-service/waivers';
import type { FastifyRequest } from 'fastify';

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
