export type { RollerCredentials, RollerRoute } from './answer-roller.ts';
export {
  type RollerBooking,
  type RollerGuest,
  type RollerItem,
  type RollerTicket,
  rollerBooking,
  rollerGuestId,
  rollerGuests,
  rollerProducts,
  rollerVenue,
} from './roller-booking.ts';
export type { RollerWebhook, RollerWebhooks } from './roller-webhooks.ts';
export { type RollerOptions, type SimulatedRoller, startRoller } from './start-roller.ts';
