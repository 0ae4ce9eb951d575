import { Reading } from '@waiver-service/plugin-kit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findProduct, requestProduct, unitItemsOf } from '../src/read/unit-items.ts';

const unexpected = () => Promise.reject(new Error('a call was made'));
const known = { id: 'adult', type: 'ADULT' };

/** The product found for a booking if the system has this one, and the requests made. */
async function find(
  booking: object,
  unitItems: object[],
  answer: object = {},
  installation: string = crypto.randomUUID(),
) {
  const asked: string[] = [];
  const get = async (path: string) => {
    asked.push(path);
    return { status: 200, headers: {}, data: answer };
  };
  const http = { get, delete: unexpected, post: unexpected, put: unexpected, patch: unexpected };
  const items = unitItemsOf(new Reading(), unitItems);
  const { product, units } = await findProduct(
    new Reading(),
    { http, installation },
    { ...booking },
    items,
    'b1',
  );
  return { product, units: Object.fromEntries(units), asked };
}

test('a booking that brings its product and every unit has nothing asked for', async () => {
  const product = { id: 'p1', options: [{ units: [known] }] };
  for (const items of [
    [{ unitId: 'adult' }],
    [{ unit: {}, unitId: 'other' }],
    [{ unitId: 'adult' }, { unit: {} }],
    [],
  ]) {
    expect((await find({ product }, items)).asked).toEqual([]);
  }
});

test('a product is asked for where it is missing, or where one unit is', async () => {
  const answer = { title: 'Asked', timeZone: 'Europe/London', options: [{ units: [{ id: 'child' }] }] };
  const withoutProduct = await find({ productId: 'p1' }, [{ unit: {} }], answer);
  expect(withoutProduct.asked).toEqual(['products/p1']);
  expect(withoutProduct.product).toEqual(answer);
  const product = { id: 'own', title: 'Own', options: [{ units: [known] }] };
  const withoutUnit = await find({ product }, [{ unitId: 'adult' }, { unitId: 'child' }], answer);
  expect(withoutUnit.asked).toEqual(['products/own']);
  // The booking's own values take precedence.
  expect(withoutUnit.product).toEqual({ ...answer, ...product });
  expect(withoutUnit.units).toEqual({ adult: known, child: { id: 'child' } });
  const { asked } = await find({ product, productId: 'p2' }, [{ unitId: 'child' }], answer);
  expect(asked).toEqual(['products/p2']);
});

test('the booked option beside the product tells of its units, too', async () => {
  const option = { id: 'o1', units: [known] };
  const booking = { product: { id: 'p1', options: [] }, option, optionId: 'o1' };
  expect(await find(booking, [{ unitId: 'adult' }])).toMatchObject({ units: { adult: known }, asked: [] });
});

test('of several options, the booked one tells of the units', async () => {
  const options = [
    { id: 'o2', units: [{ id: 'adult', type: 'SENIOR' }, { id: 'child' }] },
    { id: 'o1', units: [known] },
  ];
  const { units } = await find({ product: { id: 'p1', options }, optionId: 'o1' }, [{ unitId: 'adult' }]);
  expect(units).toEqual({ adult: known });
});

describe('a product that was asked for', () => {
  const answer = { title: 'Asked', options: [{ id: 'o1', units: [known] }] };
  const adult = [{ unitId: 'adult' }];
  const booking = { productId: 'p1', optionId: 'o1' };
  function start() {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const installation = crypto.randomUUID();
    return (booked: object = booking, items: object[] = adult, now: object = answer) =>
      find(booked, items, now, installation);
  }

  test('is kept for ten minutes, for its installation', async () => {
    const read = start();
    await read();
    vi.advanceTimersByTime(599_000);
    const again = await read();
    expect(again.asked).toEqual([]);
    expect(again).toMatchObject({ product: { title: 'Asked' }, units: { adult: known } });
    expect((await find(booking, adult, answer)).asked).toEqual(['products/p1']);
    vi.advanceTimersByTime(1_000);
    expect((await read()).asked).toEqual(['products/p1']);
  });

  test('is asked for again where a unit or the booked option is new', async () => {
    const read = start();
    await read();
    const family = { id: 'family', restrictions: { paxCount: 4 } };
    const changed = { ...answer, options: [{ id: 'o1', units: [known, family] }] };
    const withFamily = await read(booking, [{ unitId: 'family' }], changed);
    expect(withFamily).toMatchObject({ asked: ['products/p1'], units: { family } });
    expect((await read(booking, [{ unitId: 'family' }])).asked).toEqual([]);
    expect((await read({ ...booking, optionId: 'o2' })).asked).toEqual(['products/p1']);
  });
});

test('nothing is asked for where no id says what', async () => {
  expect(await find({}, [{ unitId: 'adult' }])).toEqual({ product: {}, units: {}, asked: [] });
});

test('a product whose id no URL can carry is not asked for', async () => {
  const http = { get: unexpected, delete: unexpected, post: unexpected, put: unexpected, patch: unexpected };
  for (const id of ['..', ''])
    expect(await requestProduct(http, id, { purpose: 'guest-update' })).toBeUndefined();
});
