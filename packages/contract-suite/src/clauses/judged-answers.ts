import type { AnswerMeaning, BookingSystemErrorCode } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectRejection } from '../expectations/rejection.ts';
import { proxyPage } from '../fixtures/broken-bodies.ts';
import { judgesAnswers, writes } from '../manifest-predicates.ts';
import type { JudgedAnswer } from '../options.ts';

const section = 'plugin interface, errors';
const appliesTo = judgesAnswers;

type Meaning = AnswerMeaning['meaning'];

const codeOfRead: Readonly<Record<Meaning, BookingSystemErrorCode>> = {
  throttled: 'booking_system_rate_limited',
  'bad-key': 'booking_system_auth_rejected',
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
    appliesTo: (plugin) => judgesAnswers(plugin) && writes(plugin),
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
