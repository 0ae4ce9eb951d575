import type { AnswerMeaning, BookingSystemPlugin, BookingSystemResponse } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import type { ContractSuiteOptions } from '../src/index.ts';

/** Follows the contract; most bad plugins are derived from it. */
export const goodPlugin: BookingSystemPlugin = defineBookingSystem({
  installName: 'good',
  displayName: 'Good',
  contract: { pathShape: 'path', guestId: 'booking-guest-id' },
  statusMap: { Active: 'active', Gone: 'cancelled' },
});

/** Makes the other choices where the contract leaves one. */
export const goodQueryPlugin = defineBookingSystem({
  installName: 'good-query',
  displayName: 'Good, asked by query',
  contract: {
    authHeaderName: 'authentication',
    guestUpdateAuthHeaderName: 'x-own-key',
    pathShape: 'query',
    guestId: 'none',
  },
  // Lacks the status of the suite's own bookings.
  statusMap: { Booked: 'active' },
});

/** Addresses every guest by the waiver id. */
export const goodWaiverIdPlugin = defineBookingSystem({
  installName: 'good-waiver-id',
  displayName: 'Good, by waiver id',
  contract: { pathShape: 'path', guestId: 'waiver-id' },
});

/** Reads only the legacy form, and accepts no Guest Updates. */
export const goodLegacyPlugin = defineBookingSystem({
  installName: 'good-legacy',
  displayName: 'Good, legacy',
  contract: { pathShape: 'path', guestId: 'none' },
  capabilities: { forms: ['legacy'], guestUpdate: false, takes: [], void: false, inbound: 'none' },
});

const meanings = new Map<unknown, AnswerMeaning>([
  ['slow down', { meaning: 'throttled', retryAfterMs: 4_000 }],
  ['who are you', { meaning: 'bad-key' }],
  ['never heard of it', { meaning: 'not-found' }],
  ['it was deleted', { meaning: 'gone' }],
]);

/** Says in words, with status 200, what others say with a status. */
export const judgeWords = ({ data }: BookingSystemResponse): AnswerMeaning | undefined =>
  meanings.get(typeof data === 'object' && data !== null && 'refusal' in data ? data.refusal : undefined);

/** Follows the contract, and says what its words mean. */
export const goodJudgingPlugin: BookingSystemPlugin = defineBookingSystem({
  installName: 'good-judging',
  displayName: 'Good, in words',
  contract: { pathShape: 'path', guestId: 'none' },
  judgeAnswer: judgeWords,
});

const answerOf = (refusal: string) => ({ name: refusal, answer: { status: 200, body: { refusal } } });

/** The answers whose meaning it knows. */
export const judgingOptions: ContractSuiteOptions = {
  judged: [
    { ...answerOf('slow down'), meaning: 'throttled', retryAfterMs: 4_000 },
    { ...answerOf('who are you'), meaning: 'bad-key' },
    { ...answerOf('never heard of it'), meaning: 'not-found' },
    { ...answerOf('it was deleted'), meaning: 'gone' },
  ],
};
