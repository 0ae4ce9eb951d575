import { adminToken, type TestHost } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPeopleHost } from '../setup/people-host.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startPeopleHost();
});
afterAll(() => host?.close());

const withAuthorization = (authorization: string) =>
  host.call('GET', '/v1/admin/pools', undefined, { token: null, headers: { authorization } });

test('the scheme may be written in capitals or not', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect([scheme, (await withAuthorization(`${scheme} ${adminToken}`)).status]).toEqual([scheme, 200]);
  }
});
