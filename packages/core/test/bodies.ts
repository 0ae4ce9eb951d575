// Bodies that conform to the contract strictly, with every field that it defines.
export const startsAt = '2026-05-01T09:30:00Z';
export const endsAt = '2026-05-01T11:30:00Z';
const withMilliseconds = '2026-05-01T09:30:00.000Z';
export const contact = { name: 'Zoë', email: 'zoe@example.com', phoneNumber: '+44' };
export const guest = { id: 'G1', name: 'Ana', email: 'ana@example.com', phoneNumber: '+44' };
export const session = { startsAt, endsAt, activityId: 'raft', activityName: 'Rafting' };
const shared = { id: 'B1', status: 'Active', contact, pax: 2, notes: 'vegan' };
export const current = { ...shared, guests: [guest], bookedSessions: [session] };
export const legacy = {
  ...shared,
  startsAt,
  endsAt,
  activities: [{ activity: 'Rafting', activityId: 'raft' }],
  guests: [{ guestId: 'G1', name: 'Ana' }],
};
export const waiver = {
  id: 'W',
  pool: 'p',
  bookingId: 'B',
  bookingGuestId: 'G',
  lastVisit: startsAt,
  deleted: false,
  updatedAt: endsAt,
};
export const webhookGuest = {
  id: 'W',
  pool: 'p',
  activities: ['Rafting'],
  createdAt: withMilliseconds,
  updatedAt: withMilliseconds,
  lastVisit: withMilliseconds,
  deleted: false,
  feedback: '',
  currentPage: 'done',
  reservationsID: 'B',
  reservationsService: 'standard',
};
