import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Of a session that an OpenID Connect issuer vouched for; null for those of credentials and of the admin token. A
  // host that does not know these columns refuses such a session, because it lacks the admin token's seal.
  sql`alter table person_session
    add column subject text,
    add column name text,
    add column role text,
    add column pools text[],
    add column rules text,
    add constraint person_session_issuer check (
      (subject is null and name is null and role is null and pools is null and rules is null)
      or (credential is null and subject is not null and name is not null
        and role is not null and role in ('owner', 'operator', 'viewer') and rules is not null)
    )`,
  // Sign-ins that have come back from the issuer, so that none comes back twice.
  sql`create table ended_sign_in (
    id text collate "C" primary key,
    expires_at timestamptz not null
  )`,
  sql`create index ended_sign_in_by_end on ended_sign_in (expires_at)`,
];

/** Sessions of people for whom an OpenID Connect issuer vouches. */
export const signInByIssuer: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};
