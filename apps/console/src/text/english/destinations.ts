import { count } from '../formats.ts';
import { plural } from './numbers.ts';

export const destinationsTexts = {
  destinationStates: { working: 'Working', failing: 'Failing', paused: 'Paused', closed: 'Closed' },
  destinations: {
    lead: 'Where messages go. Failing and paused ones come first.',
    none: 'No destinations',
    noneHint:
      'Booking systems and webhooks that messages go to are listed here. Install or add one on the page of a pool.',
    healthOf: (delivered: number, failed: number) =>
      `${count(delivered)} delivered, ${plural(failed, 'attempt', 'attempts')} failed in the last 24 hours`,
    quiet: 'Nothing sent in the last 24 hours',
    health: 'Health',
    healthLead: (name: string) => `Deliveries to ${name}, and failed attempts.`,
    showHealth: (name: string) => `Show the health of ${name}`,
    installationStatuses: { pending: 'Waiting for approval', needs_attention: 'Needs attention' },
  },
} as const;
