import { runContractSuite } from '@waiver-service/contract-suite';
import { expect, test } from 'vitest';
import plugin from '../src/index.ts';

runContractSuite(plugin);

// The suite tests the requests that these choices make.
test('a booking is at a query, and nothing at the end of Guest Update', () => {
  expect(plugin.contract).toMatchObject({
    authHeaderName: 'authentication',
    pathShape: 'query',
    guestId: 'none',
  });
});
