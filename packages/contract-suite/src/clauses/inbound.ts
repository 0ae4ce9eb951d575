import type { InboundAuthenticity, InboundCall, InstalledAccount } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { callsInNativeForm, registersWebhooks, sharesAddress, verifiesCalls } from '../conditions.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { exchanging, inScenario } from '../native/exchanging.ts';
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
  inScenario(`webhooks.${name}`, () => exchanging(kit, exchangesOf(kit, name), call));

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

type Call = InboundCall<unknown, InstalledAccount>;

const afterMs = ({ now }: ClauseKit, milliseconds: number) => new Date(now.getTime() + milliseconds);

/** The plugin's verdict on a call before its body is parsed. */
async function judge({ plugin }: ClauseKit, { body: _body, ...request }: Call): Promise<InboundAuthenticity> {
  const authenticity = await plugin.inboundAuthenticity?.(request);
  if (authenticity === undefined) throw new Error(`${plugin.installName} has no inboundAuthenticity`);
  return authenticity;
}

const withOtherByte = ({ rawBody, ...call }: Call): Call => ({
  ...call,
  rawBody: Uint8Array.from([...rawBody, 0x20]),
});

function withOtherUrl({ url, query, ...call }: Call): Call {
  const other = new URL(url);
  other.searchParams.append('x', '1');
  return { ...call, url: other, query: { ...query, x: '1' } };
}

/** The parts that the vendor signs: changing any of them makes a call forged. */
function signedParts(kit: ClauseKit) {
  const signature = kit.signatureOf({});
  const isSigned = (change: Parameters<ClauseKit['signatureOf']>[0]) => kit.signatureOf(change) !== signature;
  return {
    body: isSigned({ body: Uint8Array.of(1) }),
    url: isSigned({ url: new URL('https://waivers.example/other') }),
    time: isSigned({ now: afterMs(kit, 1_000) }),
  };
}

function toleranceOf(kit: ClauseKit): number | undefined {
  const { toleranceMs } = kit.inboundSignature;
  const { time: hasTime } = signedParts(kit);
  if (hasTime === (toleranceMs !== undefined)) return toleranceMs;
  throw new Error(
    hasTime
      ? 'the vendor’s signature has a time: inboundSignature.toleranceMs must say how far from now it may be'
      : 'inboundSignature.toleranceMs is given, but sign makes the same of two times',
  );
}

const marginMs = 1_000;
const garbage = ['', '\u0000', 'sha256=', '0', '-1', 'NaN', '9'.repeat(400), 'a'.repeat(64), 'ÿ'];

/** Inbound calls in a vendor's own form: their authenticity, account and notice. */
export const inboundClauses: readonly Clause[] = [
  {
    id: 'inbound/notices',
    section: 'plugin interface, inbound calls',
    title: 'each of the vendor’s calls yields the bookings that changed, and what else its scenario says',
    appliesTo: callsInNativeForm,
    run(kit) {
      for (const { name, call, accountId: _accountId, ...expected } of kit.inboundScenarios) {
        expect(kit.plugin.parseInbound?.(kit.inboundCall(call)), name).toEqual(expected);
        kit.ranScenarios.push({ kind: 'inbound', name });
      }
    },
  },
  {
    id: 'inbound/authentic',
    section: 'plugin interface, inbound calls',
    title: 'what the vendor signed is authentic, as far from now as the vendor allows',
    appliesTo: verifiesCalls,
    async run(kit) {
      const tolerated = Math.max(0, (toleranceOf(kit) ?? 0) - marginMs);
      for (const { name, call } of kit.inboundScenarios) {
        for (const milliseconds of [0, -tolerated, tolerated]) {
          const signed = kit.inboundCall(call, { signedAt: afterMs(kit, milliseconds) });
          expect(await judge(kit, signed), `${name}, signed ${milliseconds} ms from now`).toBe('authentic');
        }
      }
    },
  },
  {
    id: 'inbound/forged',
    section: 'plugin interface, inbound calls',
    title: 'an unsigned call, one signed by others, and one changed after it was signed are forged',
    appliesTo: verifiesCalls,
    async run(kit) {
      const { body, url } = signedParts(kit);
      for (const { name, call } of kit.inboundScenarios) {
        const signed = kit.inboundCall(call);
        const forged: [string, Call][] = [
          ['not signed', kit.inboundCall(call, { unsigned: true })],
          ['signed with other secrets', kit.inboundCall(call, { otherSecrets: true })],
        ];
        if (body) forged.push(['with another body', withOtherByte(signed)]);
        if (url) forged.push(['at another URL', withOtherUrl(signed)]);
        for (const [how, forgery] of forged) {
          expect(await judge(kit, forgery), `${name}, ${how}`).toBe('forged');
        }
      }
    },
  },
  {
    id: 'inbound/stale',
    section: 'plugin interface, inbound calls',
    title: 'a call signed too long ago, or dated too far ahead, is stale',
    appliesTo: verifiesCalls,
    async run(kit) {
      const toleranceMs = toleranceOf(kit);
      if (toleranceMs === undefined) return;
      for (const { name, call } of kit.inboundScenarios) {
        for (const milliseconds of [-toleranceMs - marginMs, toleranceMs + marginMs]) {
          const signed = kit.inboundCall(call, { signedAt: afterMs(kit, milliseconds) });
          expect(await judge(kit, signed), `${name}, signed ${milliseconds} ms from now`).toBe('stale');
        }
      }
    },
  },
  {
    id: 'inbound/replayed',
    section: 'plugin interface, inbound calls',
    title: 'a message that the vendor signs and sends again is recognised as the same',
    appliesTo: verifiesCalls,
    run(kit) {
      for (const { name, call } of kit.inboundScenarios) {
        const [first, second] = [kit.now, afterMs(kit, 1_000)].map((signedAt) =>
          kit.plugin.parseInbound?.(kit.inboundCall(call, { signedAt })),
        );
        expect(second, name).toEqual(first);
      }
    },
  },
  {
    id: 'inbound/garbage',
    section: 'plugin interface, inbound calls',
    title: 'whatever comes is judged, and nothing of it is authentic',
    appliesTo: verifiesCalls,
    async run(kit) {
      for (const { call } of kit.inboundScenarios) {
        const signed = kit.inboundCall(call);
        const plain = kit.inboundCall(call, { unsigned: true });
        for (const text of garbage) {
          const headers = Object.fromEntries(Object.keys(signed.headers).map((name) => [name, text]));
          const query = Object.fromEntries(Object.keys(signed.query).map((name) => [name, text]));
          const url = new URL(plain.url);
          for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
          const rawBody = Uint8Array.of(0xff, 0xfe, 0x00);
          for (const wrong of [
            { ...plain, headers, query, url },
            { ...plain, headers: mapped(headers, () => [text, text]), query: mapped(query, () => [text]) },
            { ...plain, headers: {}, query: {}, rawBody },
          ]) {
            expect(await judge(kit, wrong)).not.toBe('authentic');
          }
        }
      }
    },
  },
  {
    id: 'inbound/other-account',
    section: 'plugin interface, inbound calls',
    title: 'at an address for all accounts, each call names the account of its scenario, and two differ',
    appliesTo: sharesAddress,
    run(kit) {
      const accounts = kit.inboundScenarios.map(({ name, call, accountId }) => {
        expect(kit.plugin.inboundAccount?.(kit.inboundCall(call)), name).toBe(accountId);
        return accountId;
      });
      const known = new Set(accounts.filter((accountId) => accountId !== undefined));
      expect(known.size, 'scenarios of at least two accounts').toBeGreaterThan(1);
    },
  },
];

const mapped = <Value>(fields: Readonly<Record<string, unknown>>, value: () => Value) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, value()]));
