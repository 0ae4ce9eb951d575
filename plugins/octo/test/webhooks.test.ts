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

test('one that was registered twice is left once', async () => {
  const { system, register } = await started();
  const headers = { authorization: `Bearer ${apiKey}`, 'octo-capabilities': 'octo/webhooks' };
  for (const body of [
    { event: 'booking_update', url },
    { event: 'booking_update', url },
  ].map((hook) => JSON.stringify(hook))) {
    await fetch(`${system.url}/webhooks`, { method: 'POST', headers, body });
  }
  await register(url);
  expect(system.webhooks).toHaveLength(1);
});

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

test('a list that is none, and a webhook that is not stored, are failures', async () => {
  const { system, register } = await started();
  system.faults.next('webhooks', { kind: 'status', status: 200, body: { webhooks: [] } });
  await expect(register(url)).rejects.toThrow('without a list');
  system.faults.next('webhooks', { kind: 'status', status: 200, body: [] });
  system.faults.next('webhooks', { kind: 'status', status: 200, body: {} });
  await expect(register(url)).rejects.toThrow('does not list it');
});
