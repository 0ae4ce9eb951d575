import { expect, test } from 'vitest';
import { startXola, xolaOrder } from '../simulator/index.ts';

test('Xola serves an order to its seller only, in the requested version', async () => {
  const system = await startXola({ apiKey: 'seller-key' });
  const get = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const answer = await fetch(`${system.url}${path}`, { method, headers });
    return [answer.status, await answer.json()];
  };
  const good = { 'X-API-KEY': 'seller-key', 'X-API-VERSION': '2020-05-04' };
  const path = `/orders/${xolaOrder.id}`;
  expect(await get(path, good)).toEqual([200, xolaOrder]);
  expect(await get(path, { ...good, 'X-API-KEY': 'x' })).toEqual([401, expect.anything()]);
  expect(await get(path, { ...good, 'X-API-VERSION': 'latest' })).toEqual([400, expect.anything()]);
  const { items, ...order } = xolaOrder;
  const { experience, arrival, quantity } = items[0] ?? {};
  const withoutItems = [200, expect.objectContaining({ ...order, experience, arrival, quantity })];
  for (const old of [{ 'X-API-KEY': 'seller-key' }, { ...good, 'X-API-VERSION': '2017-09-27' }]) {
    const answer = await get(path, old);
    expect(answer).toEqual(withoutItems);
    expect(answer[1]).not.toHaveProperty('items');
  }
  expect(await get(path, { ...good, 'X-API-VERSION': '2017-09-28' })).toEqual([200, xolaOrder]);
  expect(await get('/orders/none', good)).toEqual([404, expect.anything()]);
  expect(await get(path, good, 'PUT')).toEqual([404, expect.anything()]);
  system.faults.next('read', { kind: 'status', status: 429 });
  expect(await get(path, good)).toEqual([429, expect.anything()]);
  await system.close();
});
