import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Who is signed in to the console. Without a credential, the admin token signed in. A revoked credential takes its
  // sessions and its sign-in codes along.
  sql`create table person_session (
    id uuid primary key,
    hash bytea not null unique,
    credential text collate "C" references credential (id) on delete cascade,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    seen_at timestamptz not null default date_trunc('milliseconds', now()),
    expires_at timestamptz not null
  )`,
  sql`create index person_session_of_credential on person_session (credential)`,
  sql`create index person_session_by_end on person_session (expires_at)`,
  sql`create table sign_in_code (
    hash bytea primary key,
    credential text collate "C" references credential (id) on delete cascade,
    expires_at timestamptz not null
  )`,
  sql`create index sign_in_code_of_credential on sign_in_code (credential)`,
];

/** Sessions of the console, and the codes of sign-in links. */
export const sessionsOfPeople: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};
