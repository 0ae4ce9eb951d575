import { hash } from 'node:crypto';
import type { IssuerPerson } from '@waiver-service/store';
import { z } from 'zod';
import { isAtLeast } from '../authentication/caller.ts';
import type { SignInIssuer } from '../settings/host-settings.ts';
import type { GivenRole, SignInRoles } from '../settings/sign-in-roles.ts';

/** The issuer's claims about a person: from the ID token, and from its user info. */
export type Claims = Readonly<Record<string, unknown>>;

const maxNameLength = 200;

// Control characters would break lines of logs and lists.
const nameSchema = z
  .string()
  .transform((text) => text.replaceAll(/\p{C}/gu, ' ').trim().slice(0, maxNameLength) || undefined)
  .optional()
  .catch(undefined);

const namesSchema = z.object({ name: nameSchema, email: nameSchema, preferred_username: nameSchema });

/** The person's name for others: name and e-mail address if the issuer provides them. */
function nameOf(claims: Claims, subject: string): string {
  const { name, email, preferred_username: username } = namesSchema.parse(claims);
  if (name !== undefined && email !== undefined) return `${name} <${email}>`;
  return name ?? email ?? username ?? subject;
}

/** The values of the claim that decides. An e-mail address counts only once the issuer has verified it. */
function valuesOf(claims: Claims, claim: string): readonly string[] {
  if (claim === 'email' && claims.email_verified !== true) return [];
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return [value].flat().filter((one) => typeof one === 'string');
}

/**
 * The rights that claims grant; `undefined` for none. Of several values, the highest role counts, with the pools of all
 * values that grant it.
 */
export function roleOf(claims: Claims, { claim, values }: SignInRoles): GivenRole | undefined {
  const given = new Set(valuesOf(claims, claim).map((value) => values.get(value)));
  given.delete(undefined);
  const roles = [...given].filter((one) => one !== undefined);
  const highest = roles.find(({ role }) => roles.every((other) => isAtLeast(role, other.role)));
  if (highest === undefined) return undefined;
  const { role } = highest;
  const pools: string[] = [];
  for (const other of roles) {
    if (other.role !== role) continue;
    if (other.pools === undefined) return { role };
    pools.push(...other.pools);
  }
  return { role, pools: [...new Set(pools)] };
}

/**
 * Identifies the rules by which roles are granted: it changes with the issuer, the client or `OIDC_ROLES`.
 * @returns `undefined` without an issuer
 */
export function rulesOf(settings: SignInIssuer): string;
export function rulesOf(settings: SignInIssuer | undefined): string | undefined;
export function rulesOf(settings: SignInIssuer | undefined): string | undefined {
  if (settings === undefined) return undefined;
  const { issuer, clientId, roles } = settings;
  const rules = [issuer, clientId, roles.claim, [...roles.values]];
  return hash('sha256', JSON.stringify(rules), 'base64url');
}

/** Who signed in. `role` is undefined for someone who has none here. */
export interface SignedIn extends Omit<IssuerPerson, 'role' | 'pools' | 'rules'> {
  readonly given: GivenRole | undefined;
}

/** The person described by claims whose subject has been verified. */
export const personOfClaims = (subject: string, claims: Claims, roles: SignInRoles): SignedIn => ({
  subject,
  name: nameOf(claims, subject),
  given: roleOf(claims, roles),
});
