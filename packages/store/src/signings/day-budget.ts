import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { SigningRefused } from './signing-waivers.ts';

/** What is stored: the numbers of signings and finished pages, and their bytes. */
export interface DayAmount {
  readonly signings: number;
  readonly pages: number;
  readonly bytes: number;
}

const GiB = 1024 ** 3;

/*
 * The busiest pools have 3,000 guests a day, with five pages each: they fit several times, even with a photo each. All of
 * them may use one desk link or kiosk. A booking's link is for the guests of one booking.
 */
const maxOfPool: DayAmount = { signings: 20_000, pages: 200_000, bytes: 20 * GiB };
const maxOfDesk: DayAmount = { signings: 10_000, pages: 100_000, bytes: 10 * GiB };
const maxOfBooking: DayAmount = { signings: 1_000, pages: 20_000, bytes: GiB };

/**
 * Takes from the budgets of a day (UTC) that the hosts share: a pool's, and its link's or kiosk's. Call it last: other
 * signings of the pool wait for the row.
 * @throws SigningRefused `link-day-full`, `pool-day-full`
 */
export async function takeFromDay(
  transaction: DatabaseTransaction,
  { pool, link }: { readonly pool: string; readonly link: string | null },
  { signings, pages, bytes }: DayAmount,
): Promise<void> {
  const scopes = link === null ? [''] : ['', link];
  const { rows } = await sql<{ link: string }>`${prepared}
with is_of_booking as materialized (
  select exists (select from check_in_link where id = ${link} and booking_id is not null) as yes)
insert into guest_budget as b (pool, link, day, signings, pages, bytes)
select ${pool}, s.link, (now() at time zone 'UTC')::date, ${signings}::integer, ${pages}::integer, ${bytes}::bigint
from unnest(${scopes}::text[]) s (link) order by s.link
on conflict (pool, link, day) do update
set signings = b.signings + excluded.signings, pages = b.pages + excluded.pages, bytes = b.bytes + excluded.bytes
where b.signings + excluded.signings <= case when b.link = '' then ${maxOfPool.signings}::integer
    when (select yes from is_of_booking) then ${maxOfBooking.signings}::integer else ${maxOfDesk.signings}::integer end
  and b.pages + excluded.pages <= case when b.link = '' then ${maxOfPool.pages}::integer
    when (select yes from is_of_booking) then ${maxOfBooking.pages}::integer else ${maxOfDesk.pages}::integer end
  and b.bytes + excluded.bytes <= case when b.link = '' then ${maxOfPool.bytes}::bigint
    when (select yes from is_of_booking) then ${maxOfBooking.bytes}::bigint else ${maxOfDesk.bytes}::bigint end
returning b.link`.execute(transaction);
  if (rows.length === scopes.length) return;
  throw new SigningRefused(rows.some((row) => row.link === '') ? 'link-day-full' : 'pool-day-full');
}
