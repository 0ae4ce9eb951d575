/** The service itself. (The table "migration" is made by what runs migrations.) */
export const operations = `
-- One row: if a host's encryption keys do not open it, they are not those of this database.
create table encryption_check (
  id boolean primary key default true check (id),
  encrypted text not null
);

-- One row: the key of hashes of guests' e-mail addresses. Without it, no guess can be compared with a hash.
create table email_hash_key (
  id text primary key,
  key_encrypted text not null
);

-- Backups by our command. Others (of the server, of its disk) are not known here.
create table backup (
  id bigint generated always as identity primary key,
  -- The moment of its snapshot.
  taken_at timestamptz not null,
  -- The encryption key that opens it.
  key_id text not null,
  file_bytes bigint not null
);
`;
