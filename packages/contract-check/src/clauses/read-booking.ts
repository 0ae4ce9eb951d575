import { isDeepStrictEqual } from 'node:util';
import {
  currentBookingSchema,
  describeIssue,
  type FetchedBooking,
  isBookingSystemError,
  legacyBookingSchema,
} from '@waiver-service/core';
import { detectForm, isJsonObject, type JsonObject, readBooking } from '@waiver-service/plugin-kit';
import type { z } from 'zod';
import { type CheckOptions, type ClauseResult, fails, holds, notChecked, type Verdict } from '../clause.ts';
import type { Called, Caller } from '../exchange.ts';
import { isKeyRefused, keyRefused, outcomeOf, readCall } from './read-refusals.ts';

export interface ReadCheck {
  readonly results: readonly ClauseResult[];
  /** The booking as the waiver service would use it, without warnings of what a result says; undefined if unreadable. */
  readonly fetched: FetchedBooking | undefined;
  readonly called: Called;
}

// Each clause about the body, with its fields in either form.
const bodyClauses = [
  { id: 'read/id', section: '2.1', title: 'id is a text', fields: ['id'] },
  { id: 'read/status', section: '2.1', title: 'status is a text', fields: ['status'] },
  {
    id: 'read/contact',
    section: '2.2',
    title: 'contact has a name, texts for email and phoneNumber',
    fields: ['contact'],
  },
  { id: 'read/pax', section: '2.1', title: 'pax is a whole number', fields: ['pax'] },
  {
    id: 'read/guests',
    section: '2.4',
    title: 'guests is a list, each with a name (legacy: a guestId)',
    fields: ['guests'],
  },
  { id: 'read/notes', section: '2.1', title: 'notes is a text, or not there', fields: ['notes'] },
  {
    id: 'read/sessions',
    section: '2.3, 9',
    title: 'sessions have their times in UTC and name their activity',
    fields: ['bookedSessions', 'startsAt', 'endsAt', 'activities'],
  },
] as const;

const pathText = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  );

const isRead = ({ failure, status }: Called) => failure === undefined && status === 200;

function answerVerdict(called: Called, options: CheckOptions): Verdict {
  if (isRead(called)) return holds;
  if (isKeyRefused(called)) return keyRefused(called, options.advice.readKey);
  return fails(
    outcomeOf(called),
    called.status === 404
      ? options.advice.booking
      : 'answer with status 200 and the booking, within the time limit, without a redirect',
  );
}

function jsonVerdict(called: Called): Verdict {
  if (!isRead(called)) return notChecked('there was no answer with status 200');
  return isJsonObject(called.data)
    ? holds
    : fails(
        'the body is not a JSON object',
        'answer with the booking as JSON, whole, and nothing before or after it',
      );
}

function formVerdict(body: JsonObject | undefined): Verdict {
  if (!body) return notChecked('there is no JSON object to look at');
  return detectForm(body)
    ? holds
    : fails(
        `it has neither bookedSessions nor the legacy startsAt and activities; it has ${Object.keys(body).join(', ') || 'nothing'}`,
        'send bookedSessions: a list with at least one session',
      );
}

/** Whether the texts could be decoded: by the charset that the answer declares, or UTF-8. */
function charsetVerdict(fetched: FetchedBooking | undefined): Verdict {
  if (!fetched) return notChecked('there is no booking to look at');
  const lost = fetched.warnings.find(({ code }) => code === 'characters_lost');
  return lost
    ? fails(
        `${lost.path}: ${lost.message}`,
        'answer in UTF-8, without a charset in Content-Type or with that one, and look whether your own data has the characters',
      )
    : holds;
}

const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    body,
  );

function receivedValue(body: unknown, path: readonly PropertyKey[]): string {
  const text = JSON.stringify(valueAt(body, path));
  return text === undefined ? '' : ` (it came as ${text.length > 100 ? `${text.slice(0, 100)}…` : text})`;
}

function fieldVerdict(
  body: unknown,
  issues: readonly z.core.$ZodIssue[],
  fields: readonly string[],
): Verdict {
  const own = issues.filter(({ path }) => fields.includes(String(path[0])));
  if (own.length === 0) return holds;
  const found = own
    .slice(0, 5)
    .map(({ path, message }) => `${pathText(path)}: ${message}${receivedValue(body, path)}`);
  return fails(
    found.join('; '),
    `send ${[...new Set(own.map(({ path }) => pathText(path)))].slice(0, 5).join(', ')} as the contract has it`,
  );
}

function readTolerantly(body: unknown): FetchedBooking | undefined {
  try {
    return readBooking(body);
  } catch (error) {
    if (isBookingSystemError(error)) return undefined;
    throw error;
  }
}

/** Reads the booking, and checks each field strictly against the contract (2, 4.1, 9). */
export async function checkRead(caller: Caller, options: CheckOptions): Promise<ReadCheck> {
  const called = await caller.call(readCall(options, options.bookingId));
  const body = called.status === 200 && isJsonObject(called.data) ? called.data : undefined;
  const form = body && detectForm(body);
  const schema = form === 'legacy' ? legacyBookingSchema : currentBookingSchema;
  const issues =
    form && body ? (schema.safeParse(body, { error: describeIssue }).error?.issues ?? []) : undefined;
  const { exchange } = called;
  const fetched = body && readTolerantly(body);
  const results: ClauseResult[] = [
    {
      id: 'read/answer',
      section: '4.1',
      title: 'the booking is answered with status 200',
      verdict: answerVerdict(called, options),
      exchange,
    },
    {
      id: 'read/json',
      section: '4.1',
      title: 'the answer is a JSON object',
      verdict: jsonVerdict(called),
      exchange,
    },
    {
      id: 'read/charset',
      section: '4.1',
      title: 'its texts are UTF-8, or in the charset that it declares',
      verdict: charsetVerdict(fetched),
      exchange,
    },
    {
      id: 'read/form',
      section: '2.1, 9',
      title: 'it is in the current or the legacy form',
      verdict: formVerdict(body),
      exchange,
    },
    ...bodyClauses.map(({ fields, ...clause }) => ({
      ...clause,
      verdict: issues
        ? fieldVerdict(body, issues, fields)
        : notChecked('there is no booking in either form to look at'),
      exchange,
    })),
  ];
  const failed = new Set(results.flatMap(({ id, verdict }) => (verdict.holds === false ? [id] : [])));
  const said = new Set<string | undefined>(
    bodyClauses.flatMap(({ id, fields }) => (failed.has(id) ? [...fields] : [])),
  );
  const warnings = fetched?.warnings.filter(
    ({ code, path }) => code !== 'characters_lost' && !said.has(path?.split(/[.[]/)[0]),
  );
  return { results, fetched: fetched && { ...fetched, warnings: warnings ?? [] }, called };
}

const everyByteEncoded = (id: string) =>
  [...Buffer.from(id)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Checks that the id in the path is decoded: requests the booking with each byte of its id percent-encoded. */
export async function checkEncodedId(
  caller: Caller,
  options: CheckOptions,
  plain: Called,
): Promise<ClauseResult> {
  const clause = {
    id: 'read/encoded-id',
    section: '4.1',
    title: 'an id is percent-decoded: the same booking comes however its id is written',
  };
  if (options.pathShape !== 'path')
    return { ...clause, verdict: notChecked('the id stands in the query, where read/hostile-id looks') };
  if (!isRead(plain))
    return { ...clause, verdict: notChecked('the booking was not read with its id as it is') };
  const call = readCall(options, options.bookingId);
  const called = await caller.call({ ...call, path: `bookings/${everyByteEncoded(options.bookingId)}` });
  const isSame =
    isRead(called) && isDeepStrictEqual(valueAt(called.data, ['id']), valueAt(plain.data, ['id']));
  const verdict = isSame
    ? holds
    : fails(
        `${isRead(called) ? 'another booking' : outcomeOf(called)} for the same id with each byte percent-encoded`,
        'decode the id after the path was split',
      );
  return { ...clause, verdict, exchange: called.exchange };
}
