/** Recoveries of deliveries. */
export const recoveries = `
-- Jobs that send deliveries again, in batches.
create table recovery (
  id text collate "C" primary key,
  -- The pools of the person who started it; null: all.
  pools text[],
  destination text,
  delivery_state text not null check (delivery_state in ('dead', 'delivered', 'superseded')),
  since timestamptz not null,
  until timestamptz not null,
  state text not null default 'running' check (state in ('running', 'done')),
  reopened_to uuid not null,
  counted_to uuid,
  recovered integer not null default 0,
  total integer not null default 0,
  created_at timestamptz not null default date_trunc('milliseconds', now())
);
create index recovery_running on recovery (id) where state = 'running';
`;

/** The service itself. (The table "migration" is created by `run-migrations.ts`.) */
export const operations = `
-- One row: the key of hashes of guests' e-mail addresses. Without it, guesses cannot be checked against a hash.
create table email_hash_key (
  id text primary key,
  key_encrypted text not null
);
`;
