import { expect, test } from 'vitest';
import type { Delivery, Destination } from '../src/api/resources.ts';
import { type DeliveryPages, withDeliveries, withDestinations } from '../src/live/changed-pages.ts';

const delivery = (id: string, given: Partial<Delivery> = {}): Delivery => ({
  id,
  kind: 'guest-webhook',
  state: 'waiting',
  pool: 'p1',
  destination: 'd1',
  waiverId: 'w1',
  version: 1,
  createdAt: '2027-06-12T10:00:00.000Z',
  ...given,
});
const pages = (...ids: string[][]): DeliveryPages => ({
  pages: ids.map((page, place) => ({
    items: page.map((id) => delivery(id)),
    next: place === ids.length - 1 ? null : 'more',
  })),
  pageParams: ids.map(() => undefined),
});
const shown = ({ pages: all }: DeliveryPages) =>
  all.map(({ items }) => items.map(({ id, state }) => `${id} ${state}`));

test('a delivery changes in its place, and a new one comes in at its own', () => {
  const data = pages(['5', '3'], ['2', '1']);
  expect(shown(withDeliveries(data, {}, [delivery('3', { state: 'delivered' }), delivery('6')]))).toEqual([
    ['6 waiting', '5 waiting', '3 delivered'],
    ['2 waiting', '1 waiting'],
  ]);
  expect(shown(withDeliveries(data, {}, [delivery('4')]))[0]).toEqual([
    '5 waiting',
    '4 waiting',
    '3 waiting',
  ]);
});

test('what no longer fits the filter goes, what does not fit stays out', () => {
  const data = pages(['3', '2']);
  const filter = { state: 'waiting', pool: 'p1', since: '2027-06-12T09:00:00.000Z' } as const;
  const changed = [
    delivery('2', { state: 'delivered' }),
    delivery('9', { pool: 'p2' }),
    delivery('8', { createdAt: '2027-06-12T08:00:00.000Z' }),
    delivery('7', { state: 'dead' }),
    delivery('4'),
  ];
  expect(shown(withDeliveries(data, filter, changed))).toEqual([['4 waiting', '3 waiting']]);
});

test('what is older than what was read stays unread; at the end of the list it is added', () => {
  const unread = { ...pages(['9', '8']), pages: [{ items: [delivery('9')], next: 'more' }] };
  expect(withDeliveries(unread, {}, [delivery('1')])).toBe(unread);
  expect(shown(withDeliveries(pages(['9']), {}, [delivery('1')]))).toEqual([['9 waiting', '1 waiting']]);
});

test('of a list by errors, nothing is added: whether it belongs there is not told', () => {
  const data = pages(['3']);
  expect(withDeliveries(data, { status: 503 }, [delivery('4')])).toBe(data);
  expect(shown(withDeliveries(data, { status: 503 }, [delivery('3', { state: 'dead' })]))).toEqual([
    ['3 dead'],
  ]);
});

test('destinations change in their places, and closed ones go', () => {
  const destination = (id: string, status: Destination['status']): Destination => ({
    id,
    kind: 'guest-webhook',
    pool: 'p1',
    status,
    consecutiveFailures: 0,
    waiting: 0,
  });
  const all = [destination('d1', 'active'), destination('d2', 'active')];
  const changed = [destination('d2', 'paused'), destination('d1', 'closed'), destination('d3', 'active')];
  expect(withDestinations(all, changed).map(({ id, status }) => `${id} ${status}`)).toEqual([
    'd2 paused',
    'd3 active',
  ]);
});
