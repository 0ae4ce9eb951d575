import type { Role } from '@waiver-service/api';
import type { TokenSetup, UsedCheckInLink, UsedKiosk } from '@waiver-service/store';
import type { Actor } from '@waiver-service/waivers';

/** A person, or a program, who operates the service. */
export interface Person {
  readonly kind: 'person';
  readonly name: string;
  readonly role: Role;
  readonly pools: 'all' | readonly string[];
  /** Vouches for the person: the admin token, an OpenID Connect issuer, or a credential, by its id. */
  readonly proof: 'admin-token' | 'issuer' | { readonly credential: string };
  /** Who it is in logs: `admin-token`, `credential:<id>`, or `oidc:<subject>`. */
  readonly actor: string;
}

/** A pool's waiver app; its access token is looked up together with the pool's setup. */
export interface WaiverApp {
  readonly kind: 'pool';
  readonly pool: string;
  readonly setup: TokenSetup;
}

/** A booking system, by one of its install keys. */
export interface Installer {
  readonly kind: 'booking-system';
  readonly name: string;
  /** Who it is in logs: `install-key:<id>`. */
  readonly actor: string;
}

/** A guest, by the token of a check-in link. */
export interface LinkedGuest {
  readonly kind: 'guest';
  readonly link: UsedCheckInLink;
}

/** A tablet on which guests sign, by its credential. */
export interface KioskCaller {
  readonly kind: 'kiosk';
  readonly kiosk: UsedKiosk;
}

export type Caller = Person | WaiverApp | Installer | LinkedGuest | KioskCaller;

/** The person who makes a request, on a route for people. */
export function personOf(caller: Caller | null): Person {
  if (caller?.kind !== 'person') throw new Error('this route is for people');
  return caller;
}

/** Who makes a change of a waiver, for its versions. */
export function changeActorOf(caller: Caller | null): Actor | undefined {
  if (caller === null) return undefined;
  if (caller.kind === 'pool') return { id: `access-token:${caller.setup.token.id}`, name: null };
  if (caller.kind === 'guest') return { id: `check-in-link:${caller.link.id}`, name: null };
  if (caller.kind === 'kiosk') return { id: `kiosk:${caller.kiosk.id}`, name: caller.kiosk.name };
  return { id: caller.actor, name: caller.name };
}

/** Who signs, for the versions of waivers. */
export const signingActorOf = (caller: Caller | null): Actor =>
  changeActorOf(caller) ?? { id: 'check-in', name: null };

const ranks: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, owner: 2 };

/** Whether a role may do what `least` may. */
export const isAtLeast = (role: Role, least: Role): boolean => ranks[role] >= ranks[least];

/** Whether a response may contain guests' data: contacts, messages and, for people, answers. */
export function seesGuests(caller: Caller | null): boolean {
  if (caller?.kind === 'pool') return true;
  return caller?.kind === 'person' && isAtLeast(caller.role, 'operator');
}

/** Whether a response may contain the answers of waivers, other than those that the request itself sent. */
export function seesAnswers(caller: Caller | null): boolean {
  if (caller?.kind !== 'pool') return seesGuests(caller);
  const { scopes } = caller.setup.token;
  return scopes.includes('waivers:read') || scopes.includes('waivers:list');
}
