/** Pools: an operator's apps, to one of which nearly everything else belongs. */
export const pools = `
create table pool (
  id text collate "C" primary key,
  name text not null,
  prefill_properties text[] not null default '{}',
  -- Who may install without an operator's approval: the pool's first booking system, any, or none.
  installs text not null default 'first' check (installs in ('first', 'any', 'approve')),
  -- The booking system of requests that name none: always an installed one.
  default_booking_system text,
  -- Days after a visit until its waiver is removed; null: never.
  retention_waivers_days integer check (retention_waivers_days between 1 and 36500),
  -- IANA name; determines the days on which guests come.
  time_zone text not null default 'UTC',
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  updated_at timestamptz not null default date_trunc('milliseconds', now())
);
`;
