import { expect, onTestFinished, test } from 'vitest';
import { startOcto } from '../simulator/index.ts';
import plugin from '../src/index.ts';
import { connected } from './connected.ts';

const apiKey = 'octo-account-key';
const url = 'https://a.example/?key=1';

async function started(settings: object = { webhooks: true }) {
  const system = await startOcto({ apiKey });
  onTestFinished(() => system.close());
  return { system, ...connected(system.url, settings) };
}

test('a refusal is quoted, and a system without the capability is not asked', async () => {
  const { register } = await started({});
  await expect(register(url)).rejects.toThrow('octo/webhooks is not among the capabilities');
  const isUsed = (settings: object) =>
    plugin.webhooks?.isUsed?.({
      settings: plugin.settingsSchema.parse(settings),
      account: { accountId: 'a', apiKey, changesUnitItems: false },
    });
  expect([{}, { webhooks: false }, { webhooks: true }].map(isUsed)).toEqual([false, false, true]);
});
