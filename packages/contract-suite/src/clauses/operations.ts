import type { BookingSystemErrorCode, BookingSystemPlugin, FetchedBooking } from '@waiver-service/core';
import { type Condition, everyPlugin, readsCurrent, readsLegacy, writes } from '../conditions.ts';
import { expectRejection } from '../expectations.ts';
import { type Body, writeCurrent, writeLegacy } from '../fixtures.ts';
import type { CallOptions, ClauseKit, MethodAnswer } from '../kit/clause-kit.ts';
import type { PartnerAnswer, PartnerRequest } from '../kit/partner.ts';

const failure = { status: 500, body: { success: false } };

/** The first request of a call, to which the response is a failure. */
async function requestOf(
  kit: ClauseKit,
  method: string,
  call: () => Promise<unknown>,
): Promise<PartnerRequest> {
  const before = kit.partner.requests.length;
  kit.partner.willAnswer(method, failure);
  await call().catch(() => undefined);
  const [request] = kit.partner.requests.slice(before);
  if (!request) throw new Error(`no ${method} was made`);
  return request;
}

/** The first request of a read and, if the plugin writes, of a Guest Update, for one booking id. */
export async function firstRequests(
  kit: ClauseKit,
  bookingId: string,
  options?: CallOptions,
): Promise<readonly PartnerRequest[]> {
  const read = await requestOf(kit, kit.readMethod, () => kit.read(bookingId, options));
  if (!writes(kit.plugin)) return [read];
  const waiver = { ...kit.waiver, bookingId };
  return [read, await requestOf(kit, kit.writeMethod, () => kit.push(waiver, options))];
}

/** Reads a booking whose response has the given body, by the body's own id if it has one. */
export async function fetchBody(kit: ClauseKit, body: Body): Promise<FetchedBooking> {
  kit.partner.willAnswer('GET', { body });
  return kit.read(['string', 'number'].includes(typeof body.id) ? String(body.id) : kit.bookingId);
}

/** A writer for each of the contract's forms that the plugin reads. */
export function inEachForm(plugin: BookingSystemPlugin): readonly ((changes: Body) => Body)[] {
  return [...(readsCurrent(plugin) ? [writeCurrent] : []), ...(readsLegacy(plugin) ? [writeLegacy] : [])];
}

/** A read or a write, for clauses that apply to both. */
export interface Operation {
  readonly name: string;
  readonly appliesTo: Condition;
  /** The HTTP method of the first request. */
  method(kit: ClauseKit): string;
  /** The responses that make it succeed, in order. */
  answers(kit: ClauseKit): readonly MethodAnswer[];
  run(kit: ClauseKit, options?: CallOptions): Promise<unknown>;
}

export const read: Operation = {
  name: 'read',
  appliesTo: everyPlugin,
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
