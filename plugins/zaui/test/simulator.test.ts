import { connect } from '@waiver-service/contract-suite';
import { expect, onTestFinished, test } from 'vitest';
import { startZaui, zauiBooking } from '../simulator/index.ts';
import zaui from '../src/index.ts';

test('over real HTTP, a product that is gone leaves a warning; its units count as one person each', async () => {
  const system = await startZaui({ apiKey: 'zaui-key-1' });
  onTestFinished(() => system.close());
  system.put({ ...zauiBooking, productId: 'gone' });
  const { read } = connect(zaui, { baseUrl: system.url, account: { apiKey: 'zaui-key-1' } });
  const { booking, warnings } = await read(zauiBooking.uuid);
  expect(booking.pax).toBe(2);
  expect(warnings.map(({ code }) => code)).toContain('value_ignored');
});
