import type { BookingIds, DestinationOwners } from '@waiver-service/outbox';
import { sql } from 'kysely';
import { ownBookingId } from '../database/booking-ids.ts';

/**
 * The version of an installation's configuration, from the rows `i` (installation) and `b` (booking system). Connections
 * are cached by it, so claims and pools' setups must name the same one.
 */
export const settingsVersion = sql<string>`concat(i.settings_version, ' ', b.settings_version)`;

/** How the statements of the outbox join installations and webhooks. */
export const destinationOwners: DestinationOwners = {
  settings: {
    joins: sql`
  left join webhook w on w.destination_id = t.id
  left join installation i on i.destination_id = t.id
  left join booking_system b on b.install_name = i.booking_system`,
    version: sql`coalesce(w.settings_version::text, ${settingsVersion})`,
    bookingSystem: sql`i.booking_system`,
    listed: sql`coalesce(w.properties, i.share_properties)`,
  },
  guests: {
    joins: sql`
  join installation i on i.destination_id = p.destination`,
    lackBookingIds: sql`i.guest_id <> 'booking-guest-id'`,
  },
};

/** How the outbox finds the lanes of bookings. */
export const bookingIds: BookingIds = {
  installation: {
    joins: sql`
  left join installation i on i.destination_id = d.id`,
    bookingSystem: sql`i.booking_system`,
  },
  ownId: ownBookingId({
    pool: sql`m.pool`,
    bookingSystem: sql`o.booking_system`,
    bookingId: sql`m.booking_id`,
  }),
  otherIds: sql`
select a.alias from booking_alias a
where a.pool = m.pool and a.booking_system = o.booking_system and a.booking_id = i.own_id`,
};
