import type { PushedWaiver, Waiver } from '@waiver-service/core';
import { expect } from 'vitest';
import { registersWebhooks, writesNative } from '../conditions.ts';
import {
  expectAuthentic,
  expectEncoded,
  expectRejection,
  expectWarningCodes,
  isEncoded,
} from '../expectations.ts';
import { contractWaiver } from '../fixtures.ts';
import type { CallOptions, ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerRequest, PartnerResponse } from '../kit/partner.ts';
import {
  formerWebhookUrl,
  type NativeExchange,
  type NativeGuestUpdate,
  type NativeRequest,
  webhookUrl,
} from './native-scenarios.ts';

// A replacer function, because an id may contain a replacement pattern such as `$'`.
const fillTemplate = (template: string, bookingId: string) =>
  template.replaceAll('{bookingId}', () => bookingId);

function expectPath(actual: string, template: string, bookingId: string): void {
  const segments = actual.split('/');
  const expected = template.split('/');
  const isSame = (segment: string, place: number) =>
    segment.includes('{bookingId}') || isEncoded(segments[place] ?? '', segment);
  if (segments.length !== expected.length || !expected.every(isSame)) {
    expect(actual, 'the path').toBe(fillTemplate(template, bookingId));
  }
  for (const [place, segment] of expected.entries()) {
    expectEncoded(segments[place], fillTemplate(segment, bookingId), `${segment} in the path`);
  }
}

/** Expects a request to match the scenario's for a booking id, and to be authentic. */
export function expectNativeRequest(
  kit: ClauseKit,
  actual: PartnerRequest | undefined,
  expected: NativeRequest,
  bookingId: string,
): void {
  if (!actual) throw new Error(`${expected.method} ${expected.path} was expected and never made`);
  expect(actual.method).toBe(expected.method);
  expectPath(actual.path, expected.path, bookingId);
  const query = Object.entries(expected.query ?? {}).map(([name, value]) => [
    name,
    fillTemplate(value, bookingId),
  ]);
  expect(kit.queryOf(actual).sort(), 'the query').toEqual(query.sort());
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    expect(actual.headers.get(name), `the header ${name}`).toBe(value);
  }
  expectAuthentic(kit, actual);
  if (expected.body !== undefined) expect(JSON.parse(actual.body)).toEqual(expected.body);
}

/** Expects the result of a write that a scenario names. */
export async function expectOutcome(
  pushing: Promise<PushedWaiver>,
  expected: NativeGuestUpdate['expected'],
): Promise<void> {
  if ('ownId' in expected) await expectRejection(pushing, expected.code, { bookingId: expected.ownId });
  else if ('code' in expected) {
    const { code, retry } = expected;
    await expectRejection(pushing, code, retry === undefined ? {} : { retry });
  } else if ('notWritten' in expected) {
    const reason = expect.stringMatching(expected.notWritten);
    expect(await pushing).toMatchObject({ accepted: false, reason });
  } else {
    const { accepted, warnings } = await pushing;
    expect(accepted).toBe(true);
    expectWarningCodes(warnings, expected.warnings);
  }
}

/** The error, with the place where it was found at the start of its message. */
function foundAt(place: string, error: unknown): unknown {
  if (error instanceof Error) error.message = `${place}: ${error.message}`;
  return error;
}

/** Runs the check of a scenario, whose name is in the message of any error. */
export async function inScenario(name: string, check: () => Promise<void>): Promise<void> {
  await check().catch((error: unknown) => {
    throw foundAt(`scenario "${name}"`, error);
  });
}

/**
 * Responds to a call's requests, and expects exactly those of the exchanges. Each is compared when it is made: a wrong one
 * is the error, whatever the plugin makes of the response.
 */
export async function exchanging<T>(
  kit: ClauseKit,
  exchanges: readonly NativeExchange[],
  call: () => Promise<T>,
  bookingId: string = kit.bookingId,
): Promise<T> {
  const before = kit.partner.requests.length;
  const wrong: unknown[] = [];
  function compare(actual: PartnerRequest): void {
    const place = kit.partner.requests.length - before;
    const expected = exchanges[place - 1]?.request;
    if (expected === undefined) return;
    try {
      expectNativeRequest(kit, actual, expected, bookingId);
    } catch (error) {
      wrong.push(foundAt(`request ${place} (${expected.method} ${expected.path})`, error));
    }
  }
  for (const { request, answer } of exchanges) {
    kit.partner.willAnswer(request.method, (actual) => {
      compare(actual);
      return answer;
    });
  }
  const outcome = await call().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (wrong.length > 0) throw wrong[0];
  if ('error' in outcome) throw outcome.error;
  const made = kit.partner.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
  expect(made.length, `the number of requests (${made.join(', ')})`).toBe(exchanges.length);
  return outcome.value;
}

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
