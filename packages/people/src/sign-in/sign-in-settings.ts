import type { Role } from '@waiver-service/api';
import { describeIssue, poolIdSchema } from '@waiver-service/core';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

/** The rights that a claim's value grants. */
export interface GivenRole {
  readonly role: Role;
  /** `undefined`: all. An owner has all. */
  readonly pools?: readonly string[] | undefined;
}

/** Who may sign in through the issuer, and as what (`OIDC_ROLES`). */
export interface SignInRoles {
  /** The claim that decides: of the ID token, or else of the issuer's user info. */
  readonly claim: string;
  /** Scopes to ask the issuer for besides `openid profile email`. */
  readonly scopes: readonly string[];
  readonly values: ReadonlyMap<string, GivenRole>;
}

const maxValues = 1_000;
const maxPools = 100;

const rolesSchema = z.strictObject({
  claim: z.string().min(1).max(200),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be a scope'))
    .max(20)
    .default([]),
  values: z
    .record(
      z.string().min(1).max(1_000),
      z
        .strictObject({
          role: z.enum(['owner', 'operator', 'viewer']),
          pools: z.array(poolIdSchema).min(1).max(maxPools).optional(),
        })
        .refine(({ role, pools }) => role !== 'owner' || pools === undefined, {
          path: ['pools'],
          message: 'an owner has all pools: leave this out, or choose another role',
        }),
    )
    .transform((values) => new Map(Object.entries(values)))
    .refine(({ size }) => size >= 1 && size <= maxValues, `must have 1 to ${maxValues} values`),
});

const form =
  '{"claim": "groups", "values": {"waiver-admins": {"role": "owner"}, "front-desk": {"role": "operator", "pools": ["alpine-tours"]}}}';

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** {@link SignInRoles} as JSON. */
export const signInRolesSchema = z.string().transform((text, context): SignInRoles => {
  const json = parsedJson(text);
  const parsed = rolesSchema.safeParse(json, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? '' : issue.path.join('.');
  const found = where === '' ? 'is not what it must be' : `is wrong at ${where} (${issue?.message})`;
  context.addIssue({ code: 'custom', message: `${found}: it must be JSON such as ${form}` });
  return z.NEVER;
});

/** The OpenID Connect issuer through which people sign in to the console. */
export interface SignInIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly roles: SignInRoles;
}

export interface PeopleSettings {
  /** `undefined`: people sign in only by credentials. */
  readonly signInIssuer: SignInIssuer | undefined;
}
export const PeopleSettings: ServiceIdentifier<PeopleSettings> = Symbol('PeopleSettings');
