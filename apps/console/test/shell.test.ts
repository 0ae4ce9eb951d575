import { expect, test } from 'vitest';
import { deliverySearch, searchOf, textIn } from '../src/api/choices.ts';
import type { BookingSystemItem, Role } from '../src/api/resources.ts';
import { commandsFor as commandsOf } from '../src/shell/command-menu.tsx';

const poolOf = (id: string) => ({
  id,
  name: `Pool ${id}`,
  prefillProperties: [],
  installs: 'first' as const,
  defaultBookingSystem: null,
  timeZone: 'UTC',
  retention: { waiversDays: null },
  createdAt: '2027-01-01T00:00:00.000Z',
  updatedAt: '2027-01-01T00:00:00.000Z',
});
const pools = Array.from({ length: 20 }, (_, index) => poolOf(`p${index + 1}`));
const octo: BookingSystemItem = {
  installName: 'octo',
  displayName: 'OCTO systems',
  authHeaderName: null,
  pathShape: null,
  capabilities: { forms: ['native'], guestUpdate: true, takes: ['notes'], void: true, inbound: 'none' },
  tier: 'documents',
  configured: true,
  authorizedInBrowser: false,
  baseUrl: null,
};
const commandsFor = (
  asked: Pick<Parameters<typeof commandsOf>[0], 'typed' | 'pools' | 'pool'>,
  role: Role = 'owner',
) =>
  commandsOf({
    ...asked,
    bookingSystems: [octo],
    may: (least) => role === 'owner' || (role === 'operator' && least !== 'owner') || least === 'viewer',
  });
const labels = (typed: string, pool?: string) =>
  commandsFor({ typed, pools, pool }).map(({ label }) => label);

test('the typed text finds pages and pools, in upper or lower case', () => {
  expect(labels('DELIV')).toContain('Deliveries');
  expect(labels('pool P20')).toContain('Pool p20');
});

test('the typed text may be the id of a booking or a waiver in the chosen pool', () => {
  expect(commandsFor({ typed: ' BK-1 ', pools, pool: 'p3' }).map(({ target }) => target)).toEqual([
    { to: '/bookings', search: { pool: 'p3', id: 'BK-1' } },
    { to: '/waivers/$pool/$id', params: { pool: 'p3', id: 'BK-1' } },
  ]);
});

test('without a chosen pool it may be of any, but no more than a few are offered', () => {
  expect(commandsFor({ typed: 'BK-1', pools, pool: undefined })).toHaveLength(16);
});

test('only what can be the id of a delivery leads to one', () => {
  const id = '01a203b4-ab5f-71a1-9943-330303f19b95';
  expect(commandsFor({ typed: id, pools: [], pool: undefined }).map(({ key }) => key)).toEqual(['delivery']);
  expect(commandsFor({ typed: 'BK-1', pools: [], pool: undefined })).toEqual([]);
});

test('a booking system is found by either name, and a page by what one does there', () => {
  expect(labels('octo sys')).toContain('OCTO systems');
  expect(labels('install key')).toContain('Booking systems');
  expect(labels('failed')).toContain('Failed deliveries');
});

test('a page that a role may not see is not offered', () => {
  const labelsOf = (role: Role) =>
    commandsFor({ typed: '', pools: [], pool: undefined }, role).map(({ label }) => label);
  expect(labelsOf('owner')).toEqual(expect.arrayContaining(['People', 'Audit log']));
  expect(labelsOf('operator')).not.toContain('People');
  expect(labelsOf('viewer')).not.toContain('Audit log');
});

const readDeliverySearch = searchOf({ pool: textIn, ...deliverySearch });

test('an address is read; what makes no sense in it is left out', () => {
  expect(readDeliverySearch({ pool: 'p1', state: 'dead', kind: 'guest-webhook', period: '24h' })).toEqual({
    pool: 'p1',
    state: 'dead',
    kind: 'guest-webhook',
    period: '24h',
  });
  expect(readDeliverySearch({ pool: 42, state: 'lost', kind: [], period: '3h', waiverId: '' })).toEqual({
    pool: '42',
  });
});

test('an error is one that there is, and a status a number that can be one', () => {
  expect(readDeliverySearch({ errorCode: 'timeout', status: '503' })).toEqual({
    errorCode: 'timeout',
    status: 503,
  });
  expect(readDeliverySearch({ errorCode: 'bad_luck', status: 'teapot' })).toEqual({});
  expect(readDeliverySearch({ status: 600 })).toEqual({});
});
