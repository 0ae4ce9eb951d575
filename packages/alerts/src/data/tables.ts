import type { EncryptedColumn, SchemaMigration, TablesOf } from '@waiver-service/database';
import { quietAlerts } from './migrations/0006-quiet-alerts.ts';

/** Alerts for operators. They are sent through the outbox, to destinations of kind "alert". */
const alerts = `
-- Where alerts are sent: a URL or a mail address.
create table alert (
  id text collate "C" primary key,
  name text not null,
  url text,
  auth_encrypted text,
  signing_secret_encrypted text,
  email text,
  events text[] not null,
  -- Null: all pools, and events that belong to none.
  pools text[],
  destination_id text collate "C" not null unique,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  updated_at timestamptz not null default date_trunc('milliseconds', now()),
  check ((url is null) = (auth_encrypted is null)),
  check ((url is null) <> (email is null)),
  check (url is not null or signing_secret_encrypted is null)
);

-- One-time events that the alert job has not yet processed. Written in the transaction of the event.
create table alert_occurrence (
  id bigint generated always as identity primary key,
  event text not null,
  -- The destination, or the name of a fault.
  subject text collate "C" not null,
  pool text,
  occurred integer not null,
  detail text,
  at timestamptz not null default now()
) with (autovacuum_vacuum_threshold = 200);

-- One event of one subject, as one alert knows it.
create table alert_topic (
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
);

-- Sent alerts, for people to look at, with the ids of their deliveries.
create table sent_alert (
  id uuid primary key,
  alert text collate "C" not null references alert (id) on delete cascade,
  event text not null,
  pool text,
  destination text collate "C",
  message text not null,
  left_out integer not null,
  at timestamptz not null
);
create index sent_alert_of_alert on sent_alert (alert, id);
`;

export const migrations = {
  '0001-baseline': { statements: [alerts] },
  '0006-quiet-alerts': quietAlerts,
} as const satisfies Readonly<Record<string, SchemaMigration>>;

export type OwnTables = TablesOf<typeof migrations>;

export const encryptedColumns = {
  auth: { table: 'alert', column: 'auth_encrypted', key: ['id'] },
  signingSecret: { table: 'alert', column: 'signing_secret_encrypted', key: ['id'] },
} as const satisfies Record<string, EncryptedColumn>;
