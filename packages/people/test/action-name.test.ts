import { expect, test } from 'vitest';
import { actionOf } from '../src/audit/audit-requests.ts';

test.each([
  ['putPool', 'pool.put'],
  ['createInstallKey', 'install-key.create'],
  ['install', 'install'],
  ['configureBookingSystem', 'booking-system.configure'],
])('the operation %s is the action %s', (operationId, action) => {
  expect(actionOf(operationId)).toBe(action);
});
