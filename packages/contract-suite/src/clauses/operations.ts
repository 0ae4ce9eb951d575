import type { BookingSystemErrorCode, BookingSystemPlugin } from '@waiver-service/core';
import { expectRejection } from '../expectations/rejection.ts';
import type { CallOptions, ClauseKit, MethodAnswer } from '../kit/clause-kit.ts';
import type { PartnerAnswer } from '../kit/partner.ts';
import { writes } from '../manifest-predicates.ts';

/** A read or a write, for clauses that apply to both. */
export interface Operation {
  readonly name: string;
  readonly appliesTo: (plugin: BookingSystemPlugin) => boolean;
  /** The HTTP method of the first request. */
  method(kit: ClauseKit): string;
  /** The responses that make it succeed, in order. */
  answers(kit: ClauseKit): readonly MethodAnswer[];
  run(kit: ClauseKit, options?: CallOptions): Promise<unknown>;
}

export const read: Operation = {
  name: 'read',
  appliesTo: () => true,
  method: (kit) => kit.readMethod,
  answers: (kit) => kit.readAnswers,
  run: (kit, options) => kit.read(kit.bookingId, options),
};

export const write: Operation = {
  name: 'write',
  appliesTo: writes,
  method: (kit) => kit.writeMethod,
  answers: (kit) => kit.writeAnswers,
  run: (kit, options) => kit.push(kit.waiver, options),
};

/** The operations that the plugin has. */
export const operationsOf = ({ plugin }: ClauseKit): readonly Operation[] =>
  [read, write].filter(({ appliesTo }) => appliesTo(plugin));

export async function succeed(kit: ClauseKit, operation: Operation): Promise<void> {
  kit.partner.willAnswerEach(operation.answers(kit));
  await operation.run(kit);
}

/** Expects an operation to be rejected with an error code, given a response to its first request. */
export function expectError(
  kit: ClauseKit,
  operation: Operation,
  answer: PartnerAnswer,
  code: BookingSystemErrorCode,
  fields?: Readonly<Record<string, unknown>>,
) {
  kit.partner.willAnswer(operation.method(kit), answer);
  return expectRejection(operation.run(kit), code, fields);
}
