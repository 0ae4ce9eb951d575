import type { Waiver } from '@waiver-service/core';
import { registersWebhooks, writesNative } from '../conditions.ts';
import { contractWaiver } from '../fixtures.ts';
import type { CallOptions, ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerResponse } from '../kit/partner.ts';
import { fillTemplate } from './exchanging.ts';
import { formerWebhookUrl, type NativeExchange, webhookUrl } from './native-scenarios.ts';

/** An address as its decoded parts. */
export interface Address {
  readonly method: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
}

interface Step {
  readonly address: Address;
  readonly answer: PartnerResponse;
}

/** A scenario with its booking id filled in, and what its call is given. */
export interface Scenario {
  /** What the plugin is called for. */
  readonly of: 'read' | 'write' | 'list' | 'access' | 'changes' | 'webhooks';
  readonly name: string;
  readonly waiver: Waiver;
  readonly steps: readonly Step[];
  call(given: { readonly waiver: Waiver; readonly account: CallOptions['account'] }): Promise<unknown>;
}

const stepsOf = (exchanges: readonly NativeExchange[], bookingId: string): Step[] =>
  exchanges.map(({ request: { method, path, query = {} }, answer }) => ({
    address: {
      method,
      segments: path.split('/').map((segment) => fillTemplate(segment, bookingId)),
      query: Object.entries(query).map(([name, value]) => [name, fillTemplate(value, bookingId)]),
    },
    answer,
  }));

/** Every scenario of a plugin, whatever function it is of. */
export function scenariosOf(kit: ClauseKit): Scenario[] {
  const { plugin, native } = kit;
  const { bodies, readRequest, guestUpdates = [], webhooks, access, lists = [], changes } = native;
  const scenario = (
    of: Scenario['of'],
    name: string,
    exchanges: readonly NativeExchange[],
    call: Scenario['call'],
    waiver: Partial<Waiver> = {},
  ): Scenario => {
    const whole = contractWaiver({ bookingId: native.bookingId, ...waiver });
    return { of, name, waiver: whole, steps: stepsOf(exchanges, whole.bookingId), call };
  };
  const reads = bodies.map(({ name, body, further = [], bookingId = native.bookingId }) =>
    scenario(
      'read',
      name,
      [{ request: readRequest, answer: { body } }, ...further],
      ({ waiver, account }) => kit.read(waiver.bookingId, { account }),
      { bookingId },
    ),
  );
  const writes = writesNative(plugin) ? guestUpdates : [];
  const pages = plugin.listBookings === undefined ? [] : lists;
  return [
    ...reads,
    ...writes.map(({ name, exchanges, waiver }) =>
      scenario(
        'write',
        name,
        exchanges,
        ({ waiver: given, account }) => kit.push(given, { account }),
        waiver,
      ),
    ),
    ...pages.map(({ name, from, until, limit = 100, pages: [page] }) =>
      scenario('list', name, page.exchanges, ({ account }) => kit.list({ from, until, limit }, { account })),
    ),
    ...(access && plugin.checkAccess
      ? [scenario('access', 'access', access, ({ account }) => kit.checkAccess({ account }))]
      : []),
    ...(changes && plugin.changesSince
      ? [
          scenario(
            'changes',
            'changes',
            changes.slice(0, 2).flatMap(({ exchanges }) => exchanges),
            async ({ account }) => {
              const [first, second] = changes;
              const { cursor } = await kit.changes(
                { cursor: undefined, now: new Date(first.now) },
                { account },
              );
              await kit.changes({ cursor, now: new Date(second.now) }, { account });
            },
          ),
        ]
      : []),
    ...(webhooks && registersWebhooks(plugin)
      ? [
          scenario('webhooks', 'webhooks that move', webhooks.move, ({ account }) =>
            kit.webhooksOf({ account }).register(formerWebhookUrl),
          ),
          scenario('webhooks', 'webhooks that are removed', webhooks.unregister, ({ account }) =>
            kit.webhooksOf({ account }).unregister(webhookUrl, formerWebhookUrl),
          ),
        ]
      : []),
  ];
}
