import type { SchemaMigration } from '@waiver-service/database';

/** Copies of what was signed: their links, and the messages with them. */
export const signingCopies = {
  statements: [
    `
-- The link to the copy of what was signed, which the signer gets. A signing of an earlier version has none until it is
-- sent again, or its link is ended.
create table signing_copy (
  pool text not null,
  signing text collate "C" not null,
  hash bytea not null unique,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  -- When it was ended by staff, or by the removal of the last guest's record.
  ended_at timestamptz,
  openings integer not null default 0,
  last_opened_at timestamptz,
  primary key (pool, signing),
  foreign key (pool, signing) references signing (pool, id) on delete cascade
) with (fillfactor = 85);

-- The message with that link. The id is that of the delivery, too.
create table copy_mail (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  signing text collate "C" not null,
  -- A keyed hash.
  address bytea not null,
  address_encrypted text not null,
  language text not null,
  -- As of an invitation.
  state text not null default 'waiting' check (state in ('waiting', 'handing-over', 'sent', 'in-doubt', 'refused', 'left-out')),
  reason text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  ended_at timestamptz,
  unique (pool, signing),
  foreign key (pool, signing) references signing (pool, id) on delete cascade
);
create index copy_mail_of_address on copy_mail (pool, address, created_at);
create index copy_mail_by_age on copy_mail (created_at);

-- With the last guest's record, by an erasure or a retention, the copy ends.
create function end_copies_of_removed() returns trigger
  language plpgsql set search_path from current as $$
  begin
    delete from copy_mail m using removed r
    where m.pool = r.pool and m.signing = r.signing and not exists (
      select from signing_waiver w where w.pool = m.pool and w.signing = m.signing);
    update signing_copy c set ended_at = coalesce(c.ended_at, date_trunc('milliseconds', now())), openings = 0,
      last_opened_at = null
    from removed r
    where c.pool = r.pool and c.signing = r.signing and not exists (
      select from signing_waiver w where w.pool = c.pool and w.signing = c.signing);
    return null;
  end $$;
create trigger end_copies_of_removed after delete on signing_waiver
  referencing old table as removed for each statement execute function end_copies_of_removed();
`,
  ],
} as const satisfies SchemaMigration;
