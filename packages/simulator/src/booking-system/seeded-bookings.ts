import type { SimulatedBooking, SimulatedSession } from './simulated-booking.ts';

const canyon: SimulatedSession = {
  startsAt: '2027-06-12T07:30:00Z',
  endsAt: '2027-06-12T11:00:00Z',
  activityId: 'canyon-half-day',
  activityName: 'Canyoning – Grünbach',
};
const raft: SimulatedSession = {
  startsAt: '2027-06-12T07:30:00Z',
  endsAt: '2027-06-12T11:00:00Z',
  activityId: 'raft-inn',
  activityName: 'Rafting auf dem Inn',
};
const night: SimulatedSession = {
  startsAt: '2027-06-12T19:00:00Z',
  endsAt: '2027-06-12T21:00:00Z',
  activityId: 'night-zip',
  activityName: '夜間ジップライン',
};

/** Bookings that cover cases that are easy to get wrong. */
export const seededBookings: readonly SimulatedBooking[] = [
  // Names that are not ASCII, guests with additional properties, notes.
  {
    id: 'BK-1001',
    status: 'Active',
    contact: { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' },
    pax: 3,
    notes: 'Anreise mit dem Zug 🚆',
    guests: [
      {
        id: 'G-1',
        name: 'Zoë Bäcker',
        email: 'zoe@example.com',
        phoneNumber: '+43 512 123456',
        shoeSize: 39,
      },
      { id: 'G-2', name: '李小龍', email: 'li@example.com' },
      { id: 'G-3', name: 'Siobhán Ní Dhúill' },
    ],
    bookedSessions: [canyon],
  },
  // Two activities at the same time and one later; notes null.
  {
    id: 'BK-1002',
    status: 'Active',
    contact: { name: 'محمد الفارسي', phoneNumber: '+968 2412 3456' },
    pax: 2,
    notes: null,
    guests: [
      { id: 'G-1', name: 'محمد الفارسي' },
      { id: 'G-2', name: 'Ægir Þórsson', email: null },
    ],
    bookedSessions: [canyon, raft, night],
  },
  // No named guests; notes absent.
  {
    id: 'BK-1003',
    status: 'Active',
    contact: { name: 'École de Montréal', email: 'sorties@example.com' },
    pax: 24,
    guests: [],
    bookedSessions: [raft],
  },
  // Guests with only an id: in the legacy form `{"guestId": …}` (contract 9).
  {
    id: 'BK-1004',
    status: 'Active',
    contact: { name: 'Nguyễn Thị Ánh', email: 'anh@example.com' },
    pax: 2,
    guests: [{ id: '7001' }, { id: '7002' }],
    bookedSessions: [canyon, raft],
  },
  // Ids that must be encoded, and a cancelled booking.
  {
    id: 'BK/10 05?é',
    status: 'Cancelled',
    contact: { name: 'Łukasz Żółć', email: 'lukasz@example.com' },
    pax: 1,
    notes: 'storniert',
    guests: [{ id: 'G/1 #1', name: 'Łukasz Żółć' }],
    bookedSessions: [night],
  },
];
