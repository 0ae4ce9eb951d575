import type { PoolSetup, Role } from '@waiver-service/store';

/** A person, or a program, who operates the service. */
export interface Person {
  readonly kind: 'person';
  readonly name: string;
  readonly role: Role;
  readonly pools: 'all' | readonly string[];
  /** Who it is in logs: `admin-token`, or `credential:<id>`. */
  readonly actor: string;
}

/** Who makes a request. With an access token comes the setup of its pool. */
export type Caller = Person | { readonly kind: 'pool'; readonly pool: string; readonly setup: PoolSetup };

const ranks: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, owner: 2 };

/** Whether a role may do what `least` may. */
export const isAtLeast = (role: Role, least: Role): boolean => ranks[role] >= ranks[least];

/** Whether a response may contain the guests' data: answers, contacts, messages. */
export function seesGuests(caller: Caller | null): boolean {
  return caller !== null && (caller.kind === 'pool' || isAtLeast(caller.role, 'operator'));
}
