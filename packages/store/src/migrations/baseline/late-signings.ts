/** Signings that waited on a device: the keys to which devices seal them, and those that staff must look at. */
export const lateSignings = `
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
