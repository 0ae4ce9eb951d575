/** The service itself. (The table "migration" is created by `run-migrations.ts`.) */
export const operations = `
-- One row: if a host's encryption keys cannot decrypt it, they are not those of this database.
create table encryption_check (
  id boolean primary key default true check (id),
  encrypted text not null
);

-- One row: the key of hashes of guests' e-mail addresses. Without it, guesses cannot be checked against a hash.
create table email_hash_key (
  id text primary key,
  key_encrypted text not null
);

-- Backups by the service's command. Others (of the server, of its disk) are not known here.
create table backup (
  id bigint generated always as identity primary key,
  -- The time of its snapshot.
  taken_at timestamptz not null,
  -- The encryption key that decrypts it.
  key_id text not null,
  file_bytes bigint not null
);
`;
