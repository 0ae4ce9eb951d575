import { connect } from '@waiver-service/contract-suite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SimulatedXola, startXola, xolaOrder } from '../simulator/index.ts';
import xola from '../src/index.ts';

let system: SimulatedXola;
beforeEach(async () => {
  system = await startXola({ apiKey: 'seller-key-1' });
});
afterEach(() => system.close());

const read = (id = xolaOrder.id, settings: object = {}) =>
  connect(xola, {
    baseUrl: system.url,
    settings,
    account: { apiKey: 'seller-key-1', durationMinutes: 120 },
  }).read(id);

describe('over real HTTP', () => {
  test('a version is sent by default: the seller’s own may be too old to have items', async () => {
    await read();
    await read(xolaOrder.id, { apiVersion: '2021-03-10' });
    expect(system.received.map(({ headers }) => headers['x-api-version'])).toEqual([
      '2020-05-04',
      '2021-03-10',
    ]);
  });

  test('only orders are requested, and nothing is written', async () => {
    await read('a/../../users').catch(() => undefined);
    expect(system.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/orders/a%2F..%2F..%2Fusers',
    ]);
    expect(xola.pushWaiver).toBeUndefined();
  });
});
