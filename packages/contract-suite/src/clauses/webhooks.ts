import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { registersWebhooks } from '../manifest-predicates.ts';
import { exchanging } from '../native/exchanging.ts';
import {
  formerWebhookUrl,
  type NativeExchange,
  type NativeWebhooks,
  webhookUrl,
} from '../native/native-scenarios.ts';

function exchangesOf({ native, plugin }: ClauseKit, name: keyof NativeWebhooks): readonly NativeExchange[] {
  const exchanges = native.webhooks?.[name];
  if (exchanges) return exchanges;
  throw new Error(`${plugin.installName} has webhooks, so native.webhooks.${name} must be given`);
}

const expectExchanges = (kit: ClauseKit, name: keyof NativeWebhooks, call: () => Promise<void>) =>
  exchanging(kit, exchangesOf(kit, name), call);

const expectReadsOnly = (exchanges: readonly NativeExchange[]) =>
  expect(exchanges.map(({ request }) => request.method).filter((method) => method !== 'GET')).toEqual([]);

const section = 'plugin interface, webhooks';

/** Webhooks that a plugin registers at the vendor, by the scenarios in its test. */
export const webhookClauses: readonly Clause[] = [
  {
    id: 'webhooks/register',
    section,
    title: 'webhooks are registered by exactly the requests of the scenario',
    appliesTo: registersWebhooks,
    run: (kit) => expectExchanges(kit, 'register', () => kit.webhooks.register()),
  },
  {
    id: 'webhooks/found-again',
    section,
    title: 'webhooks that are registered are found, and not registered twice',
    appliesTo: registersWebhooks,
    async run(kit) {
      expectReadsOnly(exchangesOf(kit, 'registerAgain'));
      await expectExchanges(kit, 'registerAgain', () => kit.webhooks.register(formerWebhookUrl));
    },
  },
  {
    id: 'webhooks/moved',
    section,
    title: 'webhooks that go to a former address are replaced',
    appliesTo: registersWebhooks,
    run: (kit) => expectExchanges(kit, 'move', () => kit.webhooks.register(formerWebhookUrl)),
  },
  {
    id: 'webhooks/unregister',
    section,
    title: 'webhooks of the installation are removed and others are not; what is gone is no error',
    appliesTo: registersWebhooks,
    async run(kit) {
      const unregister = () => kit.webhooks.unregister(formerWebhookUrl, webhookUrl);
      await expectExchanges(kit, 'unregister', unregister);
      expectReadsOnly(exchangesOf(kit, 'unregisterAgain'));
      await expectExchanges(kit, 'unregisterAgain', unregister);
    },
  },
];
