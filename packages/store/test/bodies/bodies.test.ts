import { guestUpdateSchema, guestWebhookSchema } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { guestUpdateBody } from '../../src/bodies/guest-update-body.ts';
import { guestWebhookBody } from '../../src/bodies/guest-webhook-body.ts';

const record = {
  id: 'w/1 é',
  pool: 'p1',
  bookingSystem: 'standard',
  bookingId: 'b1',
  bookingGuestId: 'g1',
  activities: ['kayak', 'raft'],
  lastVisit: new Date('2026-05-01T09:30:00Z'),
  currentPage: null,
  answers: {
    name: 'Ann',
    dateOfBirth: '2001-02-03',
    id: 'not mine',
    feedback: 'good',
    minor: false,
    height: 171,
  },
  deleted: false,
  createdAt: new Date('2026-04-01T08:00:00.001Z'),
  updatedAt: new Date('2026-04-02T08:00:00.120Z'),
  version: 3,
};

test('a Guest Update has the contract’s seven fields in its order and nothing else', () => {
  const body = guestUpdateBody(record, []);
  expect(body).toBe(
    '{"waiver":{"id":"w/1 é","pool":"p1","bookingId":"b1","bookingGuestId":"g1","lastVisit":"2026-05-01T09:30:00.000Z","deleted":false,"updatedAt":"2026-04-02T08:00:00.120Z"}}',
  );
  expect(guestUpdateSchema.safeParse(JSON.parse(body)).success).toBe(true);
});

test('a Guest Update leaves out a guest id that is not known, and adds what is shared, in the order of the list', () => {
  expect(
    guestUpdateBody({ ...record, bookingGuestId: null }, ['minor', 'name', 'absent', 'id', 'toString']),
  ).toBe(
    '{"waiver":{"id":"w/1 é","pool":"p1","bookingId":"b1","lastVisit":"2026-05-01T09:30:00.000Z","deleted":false,"updatedAt":"2026-04-02T08:00:00.120Z","minor":false,"name":"Ann"}}',
  );
});

test('a webhook has the contract’s fields in its order, the listed answers after them', () => {
  const body = guestWebhookBody(record, ['height', 'id']);
  expect(body).toBe(
    '{"guest":{"id":"w/1 é","pool":"p1","activities":["kayak","raft"],"createdAt":"2026-04-01T08:00:00.001Z","updatedAt":"2026-04-02T08:00:00.120Z","lastVisit":"2026-05-01T09:30:00.000Z","deleted":false,"feedback":"good","currentPage":null,"reservationsID":"b1","reservationsService":"standard","height":171}}',
  );
  expect(guestWebhookSchema.safeParse(JSON.parse(body)).success).toBe(true);
});

test('a webhook of a record without a booking and feedback says so in the contract’s fields', () => {
  const body = guestWebhookBody(
    { ...record, bookingSystem: null, bookingId: null, activities: [], answers: {}, currentPage: 'two' },
    [],
  );
  expect(JSON.parse(body).guest).toMatchObject({
    activities: [],
    feedback: '',
    currentPage: 'two',
    reservationsID: null,
    reservationsService: '',
  });
});
