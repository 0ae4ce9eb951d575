import { count, plural } from './numbers.ts';

export const destinationsTexts = {
  destinationStates: { working: 'Working', failing: 'Failing', paused: 'Paused', closed: 'Closed' },
  destinations: {
    lead: 'Where messages go. Failing and paused ones come first.',
    none: 'No destinations',
    noneHint: 'Install a booking system or add a webhook to a pool.',
    pause: 'Pause',
    resume: 'Resume',
    healthOf: (delivered: number, failed: number) =>
      `${count(delivered)} delivered, ${plural(failed, 'attempt', 'attempts')} failed in the last 24 hours`,
    quiet: 'Nothing was sent in the last 24 hours',
    health: 'Health',
    healthLead: (name: string) => `What ${name} took, and failed to take.`,
    showHealth: (name: string) => `Show the health of ${name}`,
    testWorks: (ms: number) => `It took a made-up guest record in ${count(ms)} ms.`,
    testFailed: (why: string) => `It did not take a made-up guest record: ${why}`,
    testInstallation: 'Test…',
    installationStatuses: { pending: 'Waits for approval', needs_attention: 'Needs attention' },
    changed: { pause: 'Paused: its messages are kept.', resume: 'Resumed: what waits is sent now.' },
  },
} as const;
