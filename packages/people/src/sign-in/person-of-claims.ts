import { hash } from 'node:crypto';
import { isAtLeast } from '@waiver-service/http';
import { z } from 'zod';
import type { IssuerPerson } from '../data/person-sessions.ts';
import type { GivenRole, SignInIssuer, SignInRoles } from './sign-in-settings.ts';

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

const ownOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? Object.entries(value).find(([own]) => own === name)?.[1]
    : undefined;

/** The value of a claim: that of its whole name, such as a URL, or else at the path that it is (`realm_access.roles`). */
export const claimOf = (claims: Claims, claim: string): unknown =>
  ownOf(claims, claim) ?? claim.split('.').reduce<unknown>(ownOf, claims);

const hasEmail = ({ email, email_verified: verified }: Claims) =>
  email !== undefined && verified !== undefined;

/**
 * The claims of the ID token, and those that only the user info has. An address and whether it is verified are of one of
 * them: the address in the ID token may be one that its owner has chosen, and the verified one another.
 */
export function joinedClaims(idToken: Claims, userInfo: Claims): Claims {
  const { email, email_verified } = userInfo;
  const ofUserInfo = !hasEmail(idToken) && hasEmail(userInfo) ? { email, email_verified } : {};
  return { ...userInfo, ...idToken, ...ofUserInfo };
}

/** Some issuers write it as a text. */
const isVerified = ({ email_verified: verified }: Claims) => verified === true || verified === 'true';

const isEmail = (claim: string) => claim === 'email';

/** Issuers write addresses in the case in which people do. */
const comparable = (claim: string, value: string) => (isEmail(claim) ? value.toLowerCase() : value);

/** The values of the claim that decides, as texts. An e-mail address counts only once the issuer has verified it. */
function valuesOf(claims: Claims, claim: string): readonly string[] {
  if (isEmail(claim) && !isVerified(claims)) return [];
  return [claimOf(claims, claim)].flat().flatMap((one) => {
    if (typeof one === 'string') return [comparable(claim, one)];
    return typeof one === 'number' || typeof one === 'boolean' ? [String(one)] : [];
  });
}

/** Why claims grant no role: a part of a sentence for the person and the log, without the claim's values. */
export function refusalOf(claims: Claims, { claim }: Pick<SignInRoles, 'claim'>): string {
  const named = `the claim ${JSON.stringify(claim)}`;
  const value = claimOf(claims, claim);
  if (value === undefined || value === null)
    return `roles are given by ${named}, which the issuer did not send`;
  if (isEmail(claim) && !isVerified(claims)) {
    return claims.email_verified === undefined
      ? 'an e-mail address counts only if the issuer says that it is verified, and the issuer did not send the claim "email_verified"'
      : 'an e-mail address counts only if it is verified, and the issuer says that it is not';
  }
  const count = valuesOf(claims, claim).length;
  if (count === 0) return `roles are given by ${named}, in which the issuer sent no value to compare`;
  return `roles are given by ${named}, and ${count === 1 ? 'its value has none' : `none of its ${count} values has one`} here`;
}

/**
 * The rights that claims grant; `undefined` for none. Of several values, the highest role counts, with the pools of all
 * values that grant it.
 */
export function roleOf(claims: Claims, { claim, values }: SignInRoles): GivenRole | undefined {
  const byValue = new Map([...values].map(([value, role]) => [comparable(claim, value), role]));
  const given = new Set(valuesOf(claims, claim).map((value) => byValue.get(value)));
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

/** Who signed in. */
export interface SignedIn extends Omit<IssuerPerson, 'role' | 'pools' | 'rules'> {
  /** The rights here, or why there are none ({@link refusalOf}). */
  readonly given: GivenRole | { readonly refusal: string };
}

/** The person described by claims whose subject has been verified. */
export const personOfClaims = (subject: string, claims: Claims, roles: SignInRoles): SignedIn => ({
  subject,
  name: nameOf(claims, subject),
  given: roleOf(claims, roles) ?? { refusal: refusalOf(claims, roles) },
});
