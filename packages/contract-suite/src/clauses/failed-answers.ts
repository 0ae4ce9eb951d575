import type { AnswerMeaning, BookingSystemErrorCode } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { all, judgesAnswers, writes, writesContract } from '../conditions.ts';
import { expectBetween, expectRejection } from '../expectations.ts';
import { proxyPage } from '../fixtures.ts';
import type { JudgedAnswer } from '../options.ts';
import { expectError, type Operation, read, write } from './operations.ts';

const section = 'plugin interface, errors';
const appliesTo = judgesAnswers;

type Meaning = AnswerMeaning['meaning'];

const codeOfRead: Readonly<Record<Meaning, BookingSystemErrorCode>> = {
  throttled: 'booking_system_rate_limited',
  'bad-key': 'booking_system_auth_rejected',
  'no-permission': 'booking_system_auth_rejected',
  'not-found': 'booking_not_found',
  gone: 'booking_not_found',
};

function fieldsOfWrite({ meaning }: JudgedAnswer): Readonly<Record<string, unknown>> {
  if (meaning === 'not-found') return { retry: 'schedule' };
  return meaning === 'gone' ? { retry: 'never' } : {};
}

const fieldsOf = ({ meaning, retryAfterMs }: JudgedAnswer) =>
  meaning === 'throttled' && retryAfterMs !== undefined ? { retryAfterMs } : {};

// Not a vendor's error: a plugin that inspects a body must not rely on its form.
const unknownBodies = [
  undefined,
  null,
  '',
  proxyPage,
  7,
  true,
  [],
  [null],
  {},
  { error: null },
  { error: [] },
];

/** Responses that the plugin can judge, from the list in its test. */
export const judgedAnswerClauses: readonly Clause[] = [
  {
    id: 'judged/read',
    section,
    title: 'each answer whose meaning the plugin knows is the error for it, when a booking is read',
    appliesTo,
    async run(kit) {
      for (const judged of kit.judged) {
        kit.partner.willAnswer(kit.readMethod, judged.answer);
        await expectRejection(kit.read(), codeOfRead[judged.meaning], fieldsOf(judged));
        kit.ranScenarios.push({ kind: 'judged', name: judged.name });
      }
    },
  },
  {
    id: 'judged/write',
    section,
    title: 'the same answers are the errors for it when a waiver is written, with how often to retry',
    appliesTo: all(judgesAnswers, writes),
    async run(kit) {
      for (const judged of kit.judged) {
        const { meaning, answer } = judged;
        const isAboutBooking = meaning === 'not-found' || meaning === 'gone';
        const code = isAboutBooking ? 'waiver_rejected' : codeOfRead[meaning];
        kit.partner.willAnswer(kit.writeMethod, answer);
        await expectRejection(kit.push(), code, { ...fieldsOf(judged), ...fieldsOfWrite(judged) });
      }
    },
  },
  {
    id: 'judged/others',
    section,
    title: 'a success and a failure of unknown form are left to their status',
    appliesTo,
    run({ plugin, bookingBody }) {
      for (const data of [...unknownBodies, bookingBody]) {
        expect(plugin.judgeAnswer?.({ status: 200, headers: {}, data })).toBeUndefined();
        expect(plugin.judgeAnswer?.({ status: 500, headers: {}, data })).toBeUndefined();
      }
    },
  },
];

const rateLimited = 'booking_system_rate_limited';
const unavailable = 'booking_system_error';
const retryAfter = (value: string, status = 429) => ({ status, headers: { 'retry-after': value } });

const authenticationClause = (theme: string, operation: Operation, status: number): Clause => ({
  id: `${theme}/${status}`,
  section,
  title: `${status} is AuthenticationRejected, and is retried`,
  appliesTo: operation.appliesTo,
  async run(kit) {
    const fields = { upstreamStatus: status, retryable: true, inDoubt: false };
    await expectError(kit, operation, kit.refusedKey(status), 'booking_system_auth_rejected', fields);
  },
});

/** The errors that a read and a write have in common. */
function clausesOf(theme: string, operation: Operation): readonly Clause[] {
  const { appliesTo } = operation;
  return [
    authenticationClause(theme, operation, 401),
    authenticationClause(theme, operation, 403),
    {
      id: `${theme}/429-seconds`,
      section,
      title: '429 is RateLimited, with Retry-After converted from seconds to milliseconds',
      appliesTo,
      async run(kit) {
        const fields = { retryAfterMs: 120_000, retryable: true, inDoubt: false };
        await expectError(kit, operation, retryAfter('120'), rateLimited, fields);
      },
    },
    {
      id: `${theme}/429-date`,
      section,
      title: '429 is RateLimited, with Retry-After converted from a date to milliseconds from now',
      appliesTo,
      async run(kit) {
        const date = new Date(Date.now() + 90_000).toUTCString();
        const error = await expectError(kit, operation, retryAfter(date), rateLimited);
        expectBetween(Reflect.get(error, 'retryAfterMs'), 60_000, 91_000);
      },
    },
    {
      id: `${theme}/429-without-time`,
      section,
      title: '429 without a valid Retry-After is RateLimited, without a time unless the plugin knows one',
      appliesTo,
      async run(kit) {
        for (const answer of [{ status: 429 }, retryAfter('soon')]) {
          const judged = kit.plugin.judgeAnswer?.({ headers: {}, data: '', ...answer });
          const fields = { retryAfterMs: judged?.retryAfterMs };
          await expectError(kit, operation, answer, rateLimited, fields);
        }
      },
    },
    {
      id: `${theme}/500`,
      section,
      title: '500, 502 and 503 are BookingSystemUnavailable, whatever the body',
      appliesTo,
      async run(kit) {
        for (const [status, body] of [[500, { error: 'oops' }] as const, [502, proxyPage] as const]) {
          const fields = { upstreamStatus: status, retryable: true, inDoubt: false, retryAfterMs: undefined };
          await expectError(kit, operation, { status, body }, unavailable, fields);
        }
        await expectError(kit, operation, retryAfter('30', 503), unavailable, { retryAfterMs: 30_000 });
      },
    },
    {
      id: `${theme}/timeout`,
      section,
      title: 'no response within the timeout is BookingSystemTimeout',
      appliesTo,
      async run(kit) {
        kit.partner.willAnswer(operation.method(kit), 'hang');
        await expectRejection(operation.run(kit, { timeoutMs: 300 }), 'booking_system_timeout', {
          outboundErrorCode: 'timeout',
          retryable: true,
        });
      },
    },
    {
      id: `${theme}/reset`,
      section,
      title: 'a connection that breaks is BookingSystemUnavailable; a contract’s write is in doubt',
      appliesTo,
      async run(kit) {
        const isInDoubt = operation === write && writesContract(kit.plugin);
        const fields = { outboundErrorCode: 'connection_reset', ...(isInDoubt && { inDoubt: true }) };
        await expectError(kit, operation, 'reset', unavailable, fields);
      },
    },
    {
      id: `${theme}/redirect`,
      section,
      title: 'a redirect is not followed: BookingSystemUnavailable',
      appliesTo,
      async run(kit) {
        for (const status of [301, 302, 303, 307, 308]) {
          const answer = { status, headers: { location: '/elsewhere' } };
          // Some vendors give one of these statuses a meaning.
          if (kit.plugin.judgeAnswer?.({ ...answer, data: '' }) !== undefined) continue;
          await expectError(kit, operation, answer, unavailable, { outboundErrorCode: 'redirect' });
        }
      },
    },
  ];
}

/** Responses that cause the same error for a read and a write, in the contract's or a vendor's form. */
export const failedAnswerClauses: readonly Clause[] = [
  ...clausesOf('error', read),
  ...clausesOf('guest-update', write),
];
