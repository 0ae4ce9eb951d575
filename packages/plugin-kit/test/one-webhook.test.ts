import type { BookingSystemContext, BookingSystemResponse, InstalledAccount } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { objectsIn, oneWebhook } from '../src/index.ts';

const url = 'https://waivers.example/hook?key=1';
const formerUrl = 'https://former.example/hook?key=1';
const foreign = { id: 7, url: 'https://crm.example/' };

const answer = (data: unknown, status = 200): BookingSystemResponse => ({ status, headers: {}, data });
const never = () => Promise.reject(new Error('not used'));
const context: BookingSystemContext<unknown, InstalledAccount> = {
  pool: 'p1',
  installation: 'i1',
  settings: {},
  account: { accountId: 1, apiKey: 'k' },
  secrets: { redact: (text) => text, redactData: (text) => text },
  signal: new AbortController().signal,
  http: { get: never, delete: never, post: never, put: never, patch: never },
};

/** A vendor with these webhooks; `answers` replace those of its requests. */
function vendor(
  hooks: readonly object[],
  answers: { create?: number; remove?: number; list?: unknown } = {},
) {
  const there = [...hooks];
  const requests: string[] = [];
  const webhooks = oneWebhook({
    bookingSystem: 'Vendor',
    list: async () => {
      requests.push('list');
      return answer(answers.list ?? there);
    },
    read: (data) =>
      Array.isArray(data)
        ? objectsIn(data).map(({ id, url: to, off }) => ({ id, url: to, isComplete: off !== true }))
        : undefined,
    create: async (_context, to) => {
      requests.push(`create ${to}`);
      if (answers.create === undefined) there.push({ id: 'new', url: to });
      return answer({}, answers.create ?? 201);
    },
    remove: async (_context, id) => {
      requests.push(`remove ${id}`);
      return answer({}, answers.remove ?? 204);
    },
  });
  return { webhooks, requests };
}

test('a webhook is created where there is none, and left alone where there is', async () => {
  const empty = vendor([foreign]);
  await empty.webhooks.register(context, { url, formerUrls: [] });
  expect(empty.requests).toEqual(['list', `create ${url}`, 'list']);
  const complete = vendor([foreign, { id: 1, url }]);
  await complete.webhooks.register(context, { url, formerUrls: [formerUrl] });
  expect(complete.requests).toEqual(['list']);
});

test('of former addresses, incomplete and repeated ones are removed, but none of others', async () => {
  const hooks = [
    foreign,
    { id: 1, url, off: true },
    { id: 2, url },
    { id: 3, url },
    { id: 4, url: formerUrl },
  ];
  const { webhooks, requests } = vendor([...hooks, { url }, { id: 5 }]);
  await webhooks.register(context, { url, formerUrls: [formerUrl] });
  expect(requests).toEqual(['list', 'remove 1', 'remove 3', 'remove 4']);
});

test('ours are removed, also if they are already gone', async () => {
  for (const remove of [204, 404, 410]) {
    const { webhooks, requests } = vendor([foreign, { id: 1, url }], { remove });
    await webhooks.unregister(context, { urls: [url, formerUrl] });
    expect(requests).toEqual(['list', 'remove 1']);
  }
  const { webhooks } = vendor([{ id: 1, url }], { remove: 500 });
  await expect(webhooks.unregister(context, { urls: [url] })).rejects.toThrow(
    'Vendor answered with status 500',
  );
});

test('a list that is none, a refused webhook, and one that is not kept are errors', async () => {
  const register = (vendorOf: ReturnType<typeof vendor>) =>
    vendorOf.webhooks.register(context, { url, formerUrls: [] });
  await expect(register(vendor([], { list: {} }))).rejects.toThrow(
    'Vendor answered without a list of webhooks',
  );
  await expect(register(vendor([], { create: 422 }))).rejects.toThrow('status 422');
  await expect(register(vendor([], { create: 201 }))).rejects.toThrow('took a webhook and does not list it');
});
