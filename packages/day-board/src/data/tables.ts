import type { Database as DatabaseOf, SchemaMigration, TablesOf } from '@waiver-service/database';
import type { StoreContext, Tables as StoreTables } from '@waiver-service/store/features';

/** Who has arrived on a day, and when its bookings were last read. */
const days = `
-- Ticked by staff. No foreign key to the booking or the waiver: a tick must not block changes of them.
create table arrival (
  pool text not null references pool (id) on delete cascade,
  day date not null,
  -- The booking's own id. Both are empty for a waiver, wherever it is attached.
  booking_system text not null,
  booking_id text not null,
  -- "guest:" and the guest's id in the booking, "place:" and the place of one who has none, or "waiver:" and its id.
  guest text not null,
  arrived_at timestamptz not null default date_trunc('milliseconds', now()),
  arrived_by text not null,
  arrived_by_name text,
  primary key (pool, day, booking_system, booking_id, guest)
);
create index arrival_of_guest on arrival (pool, guest);
create index arrival_by_time on arrival (arrived_at);

-- Shared by all hosts: a day is read again only some minutes after the last reading began.
create table day_reading (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  day date not null,
  begun_at timestamptz not null default date_trunc('milliseconds', now()),
  -- Null, or before begun_at, while the reading is in progress, or if its host was killed.
  ended_at timestamptz,
  -- The last reading that succeeded.
  read_at timestamptz,
  problem_code text,
  problem_message text,
  -- The number of bookings that the booking system listed but that could not be read.
  unreadable integer not null default 0,
  -- Whether it has more bookings than are read.
  is_cut boolean not null default false,
  primary key (pool, booking_system, day)
);
create index day_reading_by_time on day_reading (begun_at);
`;

export const migrations = {
  '0001-baseline': { statements: [days] },
} as const satisfies Readonly<Record<string, SchemaMigration>>;

export type OwnTables = TablesOf<typeof migrations>;

export interface DayContext extends Omit<StoreContext, 'database'> {
  readonly database: DatabaseOf<StoreTables & OwnTables>;
}
