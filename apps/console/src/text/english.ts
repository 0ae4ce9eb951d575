import { alertsTexts } from './english/alerts.ts';
import { auditTexts } from './english/audit.ts';
import { bookingSystemsTexts } from './english/booking-systems.ts';
import { bookingsTexts } from './english/bookings.ts';
import { checkInTexts } from './english/check-in.ts';
import { controlTexts } from './english/controls.ts';
import { deliveriesTexts } from './english/deliveries.ts';
import { destinationsTexts } from './english/destinations.ts';
import { invitationsTexts } from './english/invitations.ts';
import { overviewTexts } from './english/overview.ts';
import { peopleTexts } from './english/people.ts';
import { poolsTexts } from './english/pools.ts';
import { shellTexts } from './english/shell.ts';
import { startTexts } from './english/start.ts';
import { waiversTexts } from './english/waivers.ts';

export const texts = {
  ...shellTexts,
  ...controlTexts,
  ...overviewTexts,
  ...bookingsTexts,
  ...waiversTexts,
  ...checkInTexts,
  ...invitationsTexts,
  ...deliveriesTexts,
  ...destinationsTexts,
  ...poolsTexts,
  ...bookingSystemsTexts,
  ...alertsTexts,
  ...peopleTexts,
  ...startTexts,
  ...auditTexts,
} as const;
