import type { SchemaMigration } from '@waiver-service/database';

/** What public links and bookings may cause in a day, counted for all hosts. */
export const guestBudgets = {
  statements: [
    `
-- What the guests of a pool have had stored in a day (UTC), by each link or kiosk, and in all with the link ''.
create table guest_budget (
  pool text not null references pool (id) on delete cascade,
  link text collate "C" not null,
  day date not null,
  signings integer not null,
  pages integer not null,
  bytes bigint not null,
  primary key (pool, link, day)
) with (fillfactor = 50);
create index guest_budget_by_day on guest_budget (day);

-- How many invitations a pool has sent to an address in a day (UTC), and all pools together. The address is a keyed
-- hash, of the pool and of all.
create table mail_budget (
  address bytea not null,
  day date not null,
  messages integer not null,
  primary key (address, day)
);
create index mail_budget_by_day on mail_budget (day);
`,
  ],
} as const satisfies SchemaMigration;
