import { count } from '../formats.ts';
import { plural } from './numbers.ts';

export const destinationsTexts = {
  destinationStates: { working: 'Working', failing: 'Failing', paused: 'Paused', closed: 'Closed' },
  destinations: {
    lead: 'Where messages go. Failing and paused ones come first.',
    none: 'No destinations',
    noneHint:
      'Booking systems and webhooks that messages go to are listed here. Install or add one on the page of a pool.',
    pause: 'Pause',
    resume: 'Resume',
    healthOf: (delivered: number, failed: number) =>
      `${count(delivered)} delivered, ${plural(failed, 'attempt', 'attempts')} failed in the last 24 hours`,
    quiet: 'Nothing sent in the last 24 hours',
    health: 'Health',
    healthLead: (name: string) => `Deliveries to ${name}, and failed attempts.`,
    showHealth: (name: string) => `Show the health of ${name}`,
    testWorks: (ms: number) => `Accepted a sample guest record in ${count(ms)} ms.`,
    testFailed: (why: string) => `Did not accept a sample guest record: ${why}`,
    testInstallation: 'Test…',
    installationStatuses: { pending: 'Waiting for approval', needs_attention: 'Needs attention' },
    changed: { pause: 'Paused. Its messages are kept.', resume: 'Resumed. Waiting messages are being sent.' },
  },
} as const;
