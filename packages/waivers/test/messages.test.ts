import { guestUpdateSchema, guestWebhookSchema } from '@waiver-service/core';
import { expect, test } from 'vitest';
import {
  bodyWithOnly,
  bodyWithout,
  guestUpdateBody,
  guestWebhookBody,
  listedProperties,
} from '../src/messages.ts';
import { removedAnswers } from '../src/waiver.ts';
import { waiverRecord } from './waiver-record.ts';

const record = {
  ...waiverRecord({
    id: 'w/1 é',
    bookingGuestId: 'g1',
    activities: ['kayak', 'raft'],
    lastVisit: new Date('2026-05-01T09:30:00Z'),
    answers: {
      name: 'Ann',
      dateOfBirth: '2001-02-03',
      id: 'not mine',
      feedback: 'good',
      minor: false,
      height: 171,
    },
    createdAt: new Date('2026-04-01T08:00:00.001Z'),
    updatedAt: new Date('2026-04-02T08:00:00.120Z'),
    version: 3,
  }),
  bookingId: 'b1',
};

test('a Guest Update has the contract’s seven fields in its order and nothing else', () => {
  const body = guestUpdateBody(record, []);
  expect(body).toBe(
    '{"waiver":{"id":"w/1 é","pool":"p1","bookingId":"b1","bookingGuestId":"g1","lastVisit":"2026-05-01T09:30:00.000Z","deleted":false,"updatedAt":"2026-04-02T08:00:00.120Z"}}',
  );
  expect(guestUpdateSchema.safeParse(JSON.parse(body)).success).toBe(true);
});

test('a Guest Update omits an unknown guest id and adds the shared answers in the order of the list', () => {
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

test('a webhook of a record without a booking or feedback has empty fields', () => {
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

test('a body can be narrowed to listed answers; the contract’s fields stay', () => {
  const shared = ['name', 'height', 'minor'];
  const update = guestUpdateBody(record, shared);
  expect(bodyWithOnly('guest-update', update, ['height'])).toBe(guestUpdateBody(record, ['height']));
  const webhook = guestWebhookBody(record, shared);
  expect(bodyWithOnly('guest-webhook', webhook, [])).toBe(guestWebhookBody(record, []));
});

test('removing answers from a body leaves the rest unchanged, and a webhook’s feedback empty', () => {
  const { name: _, feedback, ...answers } = record.answers;
  const shared = ['name', 'feedback', 'height'];
  const removed = new Set(['name', 'feedback', 'id', 'deleted']);
  expect(bodyWithout('guest-update', guestUpdateBody(record, shared), removed)).toBe(
    guestUpdateBody({ ...record, answers }, shared),
  );
  expect(bodyWithout('guest-webhook', guestWebhookBody(record, shared), removed)).toBe(
    guestWebhookBody({ ...record, answers }, shared),
  );
  const kept = guestWebhookBody(record, shared);
  expect(bodyWithout('guest-webhook', kept, new Set(['name']))).toBe(
    guestWebhookBody({ ...record, answers: { ...answers, feedback: 'good' } }, shared),
  );
  expect(bodyWithout('guest-webhook', kept, new Set(['other']))).toBe(kept);
});

test('an answer named like a field of the contract is never sent in its place', () => {
  const answers = JSON.parse('{"id":"theirs","deleted":true,"__proto__":"own"}');
  const names = ['id', 'deleted', '__proto__', 'constructor'];
  expect(guestUpdateBody({ ...record, answers }, names)).toBe(
    guestUpdateBody(record, []).replace('}}', ',"__proto__":"own"}}'),
  );
});

test('when a waiver ends, and what it rests on, is sent only where it is listed', () => {
  const reused = { ...record, validUntil: '2027-05-01', reuseOf: 'w0' };
  expect(guestUpdateBody(reused, [])).toBe(guestUpdateBody(record, []));
  expect(guestWebhookBody(reused, [])).toBe(guestWebhookBody(record, []));
  expect(guestUpdateBody(reused, ['minor', 'name'])).toBe(guestUpdateBody(record, ['minor', 'name']));
  const listed = ['reuseOf', 'height', 'validUntil'];
  expect(JSON.parse(guestUpdateBody(reused, listed)).waiver).toMatchObject({
    reuseOf: 'w0',
    height: 171,
    validUntil: '2027-05-01',
  });
  expect(JSON.parse(guestWebhookBody(reused, listed)).guest).toMatchObject({
    reuseOf: 'w0',
    validUntil: '2027-05-01',
  });
  // Of a waiver without them nothing, and an app's own answer stays what it was.
  expect(guestUpdateBody(record, listed)).toBe(guestUpdateBody(record, ['height']));
  const own = { ...reused, answers: { ...record.answers, validUntil: 'always' } };
  expect(JSON.parse(guestUpdateBody(own, listed)).waiver.validUntil).toBe('always');
  // A record that loses them, as by an erasure, takes them out of messages that wait.
  const removed = removedAnswers(listedProperties(reused), listedProperties(record));
  expect([...removed]).toEqual(['validUntil', 'reuseOf']);
  expect(bodyWithout('guest-update', guestUpdateBody(reused, listed), removed)).toBe(
    guestUpdateBody(record, ['height']),
  );
});
