import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  sql`alter table destination drop constraint destination_kind_check,
    add constraint destination_kind_check check (kind in ('guest-update', 'guest-webhook', 'alert'))`,

  // Who is told when something goes wrong: a URL or a mail address. Without pools, of all of them.
  sql`create table alert (
    id text collate "C" primary key,
    name text not null,
    url text,
    auth_encrypted text,
    signing_secret_encrypted text,
    email text,
    events text[] not null,
    pools text[],
    destination_id text collate "C" not null unique,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    updated_at timestamptz not null default date_trunc('milliseconds', now()),
    check ((url is null) = (auth_encrypted is null)),
    check ((url is null) <> (email is null)),
    check (url is not null or signing_secret_encrypted is null)
  )`,

  // One-time events, until an alert tells of them. Written in the transaction of the event.
  sql`create table alert_occurrence (
    id bigint generated always as identity primary key,
    event text not null,
    subject text collate "C" not null,
    pool text,
    occurred integer not null,
    detail text,
    at timestamptz not null default now()
  ) with (autovacuum_vacuum_threshold = 200)`,

  // One event of one subject, such as a destination, as one alert knows it.
  sql`create table alert_topic (
    alert text collate "C" not null references alert (id) on delete cascade,
    event text not null,
    subject text collate "C" not null,
    pool text,
    since timestamptz,
    present boolean not null default false,
    occurred_at timestamptz,
    untold integer not null default 0,
    failure_told boolean not null default false,
    told_at timestamptz,
    detail text,
    primary key (alert, event, subject)
  )`,

  // Sent alerts, for people to look at, with the ids of their deliveries.
  sql`create table sent_alert (
    id uuid primary key,
    alert text collate "C" not null references alert (id) on delete cascade,
    event text not null,
    pool text,
    destination text collate "C",
    message text not null,
    left_out integer not null,
    at timestamptz not null
  )`,
  sql`create index sent_alert_of_alert on sent_alert (alert, id)`,

  // Few rows, so that to look for what is wrong costs the same however many destinations are well. A healthy
  // destination's updates touch neither index.
  sql`create index destination_failing on destination (id) where failing_since is not null`,
  sql`create index booking_system_session_lost on booking_system_session (destination) where lost_since is not null`,
  sql`create index installation_pending on installation (destination_id) where status = 'pending'`,
];

/** Alerts for operators. */
export const alerts: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};
