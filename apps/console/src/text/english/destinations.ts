export const destinationsTexts = {
  destinationStates: { working: 'Working', failing: 'Failing', paused: 'Paused', closed: 'Closed' },
  destinations: {
    lead: 'Where messages go. Failing and paused ones come first.',
    none: 'No destinations',
    noneHint:
      'Booking systems and webhooks that messages go to are listed here. Install or add one on the page of a pool.',
    installationStatuses: { pending: 'Waiting for approval', needs_attention: 'Needs attention' },
  },
} as const;
