import type { GuestMail } from '@waiver-service/signing/data';
import { sql } from 'kysely';
import { destinationOf } from './invitation-settings.ts';

/** Has copies of what was signed sent as invitations are. */
export const guestMail: GuestMail = {
  destinationOf,
  isRefused: (pool, address) =>
    sql`exists (select from invitation_refusal r where r.pool = ${pool} and r.address = ${address})`,
};
