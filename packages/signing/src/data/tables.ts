import type { EncryptedColumn, SchemaMigration, TablesOf } from '@waiver-service/database';
import { signingCopies } from './migrations/0002-signing-copies.ts';
import { guestBudgets } from './migrations/0003-guest-budgets.ts';
import { forms } from './migrations/baseline-forms.ts';

/**
 * Signings: what guests signed, kept so that others can verify it. A record is sealed in parts, with values that name a
 * person as entries of these parts; each has a salt, so that it can be erased and the rest still verifies.
 */
const signings = `
create table signing (
  pool text not null,
  -- Made on the guest's device.
  id text collate "C" not null,
  link text,
  form text collate "C" not null,
  form_version integer not null,
  language text not null,
  -- SHA-256 of the request: detects a repeated one.
  content_hash bytea not null,
  leaf bytea not null,
  received_at timestamptz not null,
  -- The place of the leaf in the pool's chain; null until it is sealed.
  sequence bigint,
  -- The signing that a returning guest confirmed: then this is the record of the confirmation.
  reuse_of text collate "C",
  primary key (pool, id),
  foreign key (pool, reuse_of) references signing (pool, id),
  foreign key (form, form_version) references form_version (form, version)
);
create index signing_unsealed on signing (received_at, pool, id) where sequence is null;
create index signing_of_form on signing (form, form_version);

-- The waivers that a signing created. In the entries, the guest's number stands for the person.
create table signing_waiver (
  pool text not null,
  waiver_id text collate "C" not null,
  signing text collate "C" not null,
  guest integer not null,
  -- Whether this guest is the signer.
  is_signer boolean not null,
  primary key (pool, waiver_id),
  foreign key (pool, signing) references signing (pool, id) on delete cascade
);
create index signing_waiver_of_signing on signing_waiver (pool, signing);

create table signing_part (
  pool text not null,
  signing text collate "C" not null,
  name text not null check (name in ('core', 'person', 'sensitive', 'ink', 'trace')),
  hash bytea not null,
  -- Null once it is erased.
  salt bytea,
  body text,
  primary key (pool, signing, name),
  foreign key (pool, signing) references signing (pool, id) on delete cascade
);

-- Values that name one person, or that are erased before the rest; the parts have only their hashes.
create table signing_entry (
  pool text not null,
  signing text collate "C" not null,
  hash bytea not null,
  part text not null check (part in ('person', 'sensitive', 'ink')),
  -- The guest's number; null: the signer.
  guest integer,
  -- Null once it is erased. Health answers are encrypted.
  salt bytea,
  body text,
  body_encrypted text,
  erase_at timestamptz,
  primary key (pool, signing, hash),
  foreign key (pool, signing) references signing (pool, id) on delete cascade
);
create index signing_entry_by_end on signing_entry (erase_at) where erase_at is not null;

create table signing_photo (
  pool text not null,
  signing text collate "C" not null,
  id text collate "C" not null,
  guest integer,
  type text not null,
  -- SHA-256 of the bytes; these are null once the photo is erased.
  hash bytea not null,
  data bytea,
  primary key (pool, signing, id),
  foreign key (pool, signing) references signing (pool, id) on delete cascade
);

-- Notes on answers from when they were given, such as "asks for help with steps". Shown to staff; the answers are not.
create table signing_flag (
  pool text not null,
  waiver_id text collate "C" not null,
  item text not null,
  label text not null,
  primary key (pool, waiver_id, item)
);

-- Later events of a signing, each a leaf of the chain.
create table signing_event (
  id bigint generated always as identity primary key,
  pool text not null,
  signing text collate "C" not null,
  kind text not null check (kind in ('correction', 'void', 'erasure')),
  at timestamptz not null,
  -- Which version of which waiver, unless it is an erasure.
  waiver_id text collate "C",
  version integer,
  -- The hashes of what was erased, as JSON.
  erased text,
  -- The sealed parts as JSON and their leaf, once it is in the chain.
  parts text,
  leaf bytea,
  sequence bigint,
  foreign key (pool, signing) references signing (pool, id) on delete cascade
);
create index signing_event_of_signing on signing_event (pool, signing);
create index signing_event_unsealed on signing_event (at, pool, id) where sequence is null;

-- The chain of a pool: each head is the hash of the previous head and a leaf.
create table evidence_chain (
  pool text primary key,
  -- PEM (SPKI).
  public_key text not null,
  private_key_encrypted text not null,
  sequence bigint not null default 0,
  head bytea not null
);

create table evidence_entry (
  pool text not null references evidence_chain (pool) on delete cascade,
  sequence bigint not null,
  leaf bytea not null,
  head bytea not null,
  -- The last entry of each batch is signed, at this time.
  signed_at timestamptz,
  signature bytea,
  primary key (pool, sequence)
);

-- Each day's root over the heads of all chains, and its timestamp from outside.
create table evidence_root (
  day date primary key,
  root bytea not null,
  made_at timestamptz not null default date_trunc('milliseconds', now()),
  token bytea,
  stamped_at timestamptz,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  failure text
);
create table evidence_root_head (
  day date not null references evidence_root (day) on delete cascade,
  pool text not null,
  sequence bigint not null,
  head bytea not null,
  -- The hashes that lead from the head to the root, as JSON.
  path text not null,
  primary key (pool, day)
);

-- The trigger's condition spares changes of waivers that were not signed here.
create function note_signing_event() returns trigger
  language plpgsql set search_path from current as $$
  begin
    insert into signing_event (pool, signing, kind, at, waiver_id, version)
    values (new.pool, new.signing, case when new.deleted and not old.deleted then 'void' else 'correction' end,
      new.updated_at, new.id, new.version);
    return null;
  end $$;
create trigger note_signing_event after update on waiver
  for each row when (old.signing is not null and new.version > old.version and new.erasure is null)
  execute function note_signing_event();

-- Erases entries, photos and parts of a signing, those that have expired or those of a guest, and records which.
create function erase_signing_entries(of_pool text, of_signing text, of_guest integer, is_signer boolean, is_all boolean)
  returns void language plpgsql set search_path from current as $$
  declare
    entries text[];
    photos text[];
    parts text[];
  begin
    with gone as (
      update signing_entry e set salt = null, body = null, body_encrypted = null, erase_at = null
      where e.pool = of_pool and e.signing = of_signing and e.salt is not null
        and (is_all or e.guest = of_guest or is_signer and e.guest is null or e.erase_at <= now())
      returning encode(e.hash, 'hex') as hash)
    select array_agg(hash order by hash) from gone into entries;
    with gone as (
      update signing_photo f set data = null
      where f.pool = of_pool and f.signing = of_signing and f.data is not null
        and (is_all or f.guest = of_guest or is_signer and f.guest is null)
      returning f.id)
    select array_agg(id order by id) from gone into photos;
    with gone as (
      update signing_part p set salt = null, body = null
      where p.pool = of_pool and p.signing = of_signing and p.salt is not null
        and (is_all or is_signer and p.name = 'trace')
      returning p.name)
    select array_agg(name order by name) from gone into parts;
    if entries is null and photos is null and parts is null then return; end if;
    insert into signing_event (pool, signing, kind, at, erased)
    values (of_pool, of_signing, 'erasure', date_trunc('milliseconds', now()),
      json_build_object('entries', coalesce(entries, '{}'), 'photos', coalesce(photos, '{}'),
        'parts', coalesce(parts, '{}'))::text);
  end $$;

-- Erases what was signed for some waivers: the guests' values; the signer's, with the guest who is the signer or the last
-- guest; and with the last guest, everything but the hashes.
create function erase_signed(of_pool text, waivers text[]) returns void
  language plpgsql set search_path from current as $$
  declare
    gone record;
    is_last boolean;
  begin
    for gone in select w.* from signing_waiver w where w.pool = of_pool and w.waiver_id = any (waivers)
      order by w.signing, w.waiver_id
    loop
      -- Of two transactions that remove guests of one signing, the later one has to see that it removes the last.
      perform from signing s where s.pool = gone.pool and s.id = gone.signing for no key update;
      delete from signing_waiver w where w.pool = gone.pool and w.waiver_id = gone.waiver_id;
      is_last := not exists (
        select from signing_waiver w where w.pool = gone.pool and w.signing = gone.signing);
      perform erase_signing_entries(gone.pool, gone.signing, gone.guest, gone.is_signer, is_last);
    end loop;
    delete from signing_flag f where f.pool = of_pool and f.waiver_id = any (waivers);
  end $$;
create function erase_signed_of_removed() returns trigger
  language plpgsql set search_path from current as $$
  begin
    perform erase_signed(r.pool, array_agg(r.id)) from removed r where r.signing is not null group by r.pool;
    return null;
  end $$;
create trigger erase_signed_of_removed after delete on waiver
  referencing old table as removed for each statement execute function erase_signed_of_removed();
`;

/** Codes by which returning guests prove that an e-mail address is theirs. */
const returning = `
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

/** Signings that waited on a device: the keys to which devices seal them, and those that staff must look at. */
const lateSignings = `
-- The newest of a pool seals; each opens what was sealed with it, however late that arrives.
create table sealing_key (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  -- Base64url of the uncompressed point on P-256, and of PKCS #8.
  public_key text not null,
  private_key_encrypted text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now())
);
create index sealing_key_of_pool on sealing_key (pool, created_at);

-- Late signings that could not become waivers.
create table late_signing (
  pool text not null references pool (id) on delete cascade,
  id text collate "C" not null,
  -- The id that the device made; null if it has none.
  signing text collate "C",
  -- The link or kiosk that it arrived through, if known.
  link text,
  booking_system text,
  booking_id text,
  reason text not null,
  -- SHA-256 of the body: detects a repeated one.
  content_hash bytea not null,
  -- Names and times, for the list; then everything.
  summary_encrypted text not null,
  body_encrypted text not null,
  -- Keyed hashes of the addresses in it, to find it by.
  email_hashes bytea[] not null,
  received_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (pool, id),
  unique (pool, content_hash)
);
create index late_signing_by_time on late_signing (received_at);
`;

export const migrations = {
  '0001-baseline': { statements: [forms, signings, returning, lateSignings] },
  '0002-signing-copies': signingCopies,
  '0003-guest-budgets': guestBudgets,
} as const satisfies Readonly<Record<string, SchemaMigration>>;

export type OwnTables = TablesOf<typeof migrations>;

export const encryptedColumns = {
  checkInSecret: { table: 'check_in_secret', column: 'secret_encrypted', key: ['pool'] },
  evidenceKey: { table: 'evidence_chain', column: 'private_key_encrypted', key: ['pool'] },
  lateSigningSummary: { table: 'late_signing', column: 'summary_encrypted', key: ['pool', 'id'] },
  lateSigningBody: { table: 'late_signing', column: 'body_encrypted', key: ['pool', 'id'] },
  sealingKey: { table: 'sealing_key', column: 'private_key_encrypted', key: ['id'] },
  signingEntry: { table: 'signing_entry', column: 'body_encrypted', key: ['pool', 'signing', 'hash'] },
  copyMailAddress: { table: 'copy_mail', column: 'address_encrypted', key: ['id'] },
} as const satisfies Record<string, EncryptedColumn>;
