/** Codes by which returning guests prove that an e-mail address is theirs. */
export const returning = `
create table returning_code (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  link text collate "C" not null references check_in_link (id) on delete cascade,
  -- Keyed hashes of the address and of the code. Unknown addresses have rows too.
  email_hash bytea not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Of the proof that the right code was exchanged for, once.
  proof_hash bytea,
  proof_expires_at timestamptz
);
create index returning_code_of_email on returning_code (pool, email_hash, created_at);
create index returning_code_of_link on returning_code (link, created_at);
create index returning_code_by_age on returning_code (created_at);
`;
