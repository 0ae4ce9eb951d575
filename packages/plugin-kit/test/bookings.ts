/** A body in the current form that conforms exactly. */
export const currentBody = () => ({
  id: 'BK-1042',
  status: 'Active',
  contact: { name: 'Ada Byron', email: 'ada@example.com', phoneNumber: '+44 20 7946 0001', language: 'en' },
  pax: 2,
  guests: [
    { id: 'g1', name: 'Ada Byron', email: 'ada@example.com', shoeSize: 38 },
    { id: 'g2', name: 'Grace Hopper' },
  ],
  bookedSessions: [
    {
      startsAt: '2026-05-01T09:30:00Z',
      endsAt: '2026-05-01T11:00:00.500Z',
      activityId: 'kayak',
      activityName: 'Kayak tour',
      guide: { name: 'Max' },
    },
  ],
  notes: 'Left-handed paddle',
  channel: { name: 'web', tags: ['a', null] },
});

/** The same booking in the legacy form. */
export const legacyBody = () => {
  const { bookedSessions: _sessions, guests, ...shared } = currentBody();
  return {
    ...shared,
    startsAt: '2026-05-01T09:30:00Z',
    endsAt: '2026-05-01T11:00:00.500Z',
    activities: [{ activity: 'Kayak tour', activityId: 'kayak', guide: { name: 'Max' } }],
    guests: guests.map(({ id, ...guest }) => ({ guestId: id, ...guest })),
  };
};
