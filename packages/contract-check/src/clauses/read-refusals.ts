import { bookingNotFoundSchema } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/plugin-kit';
import { type CheckOptions, type ClauseResult, fails, holds, notChecked, type Verdict } from '../clause.ts';
import type { Call, Called, Caller } from '../exchange.ts';

/** The request for a booking (contract 4.1). `key`: default is the account's. */
export function readCall(
  options: CheckOptions,
  bookingId: string,
  key: string | undefined = options.apiKey,
): Call {
  const { pool } = options;
  const auth = { name: options.authHeaderName, key: key ?? '' };
  return options.pathShape === 'path'
    ? { method: 'GET', path: `bookings/${percentEncode(bookingId)}`, query: { pool }, auth }
    : { method: 'GET', path: 'bookings', query: { id: bookingId, pool }, auth };
}

export const outcomeOf = ({ status, failure }: Called) => failure ?? `status ${status}`;

/** Whether the account's own key was refused, so that nothing more can be checked. */
export const isKeyRefused = ({ status }: Called): boolean => status === 401 || status === 403;

/** The verdict that the account's key was refused, with advice. */
export const keyRefused = (called: Called, change: string): Verdict =>
  fails(`${outcomeOf(called)}: the key was refused`, change);

/** A key that no account has. */
export const wrongKey = 'waiver-service-check-wrong-key';

function refusalVerdict(called: Called, header: string): Verdict {
  return isKeyRefused(called)
    ? holds
    : fails(
        `${outcomeOf(called)}, where 401 or 403 was expected`,
        `refuse a request whose header ${header} does not carry the account's key: bookings hold guests' names`,
      );
}

/** Checks that reading a booking requires a key (contract 5). */
export async function checkReadAuthentication(
  caller: Caller,
  options: CheckOptions,
): Promise<ClauseResult[]> {
  const header = options.authHeaderName;
  const without = await caller.call({ ...readCall(options, options.bookingId), auth: undefined });
  const wrong = await caller.call(readCall(options, options.bookingId, wrongKey));
  return [
    {
      id: 'read/key-required',
      section: '5',
      title: 'a request without a key is refused',
      verdict: refusalVerdict(without, header),
      exchange: without.exchange,
    },
    {
      id: 'read/wrong-key',
      section: '5',
      title: 'a request with a wrong key is refused',
      verdict: refusalVerdict(wrong, header),
      exchange: wrong.exchange,
    },
  ];
}

function bodyVerdict({ status, data }: Called, bookingId: string): Verdict {
  if (status !== 404) return notChecked('the status was not 404');
  const body = bookingNotFoundSchema.safeParse(data);
  if (!body.success) {
    return fails(
      'the body is not {"success": false, "message": …}',
      'answer a 404 with that body: without it, a wrong base address looks the same',
    );
  }
  return body.data.message.includes(bookingId)
    ? holds
    : fails(
        `the message is ${JSON.stringify(body.data.message)}`,
        `name the booking id ${bookingId} in the message`,
      );
}

const hostileId = 'no such/booking?&=#%25 é🛶';

function hostileVerdict(plain: Called, hostile: Called): Verdict {
  if (bodyVerdict(plain, '').holds !== true)
    return notChecked('a plain id that is not there was no such 404 either');
  const verdict = hostile.status === 404 ? bodyVerdict(hostile, hostileId) : undefined;
  if (verdict?.holds === true) return holds;
  return fails(
    `${verdict?.holds === false ? `status 404, but ${verdict.found}` : outcomeOf(hostile)}, where your own 404 with the decoded id ${JSON.stringify(hostileId)} was expected`,
    'split the path or the query first and decode the id then; answer for the id, not for the address',
  );
}

/** Checks the responses for a missing booking (contract 4.1, 7), and for an id that must be decoded. */
export async function checkNotFound(caller: Caller, options: CheckOptions): Promise<ClauseResult[]> {
  const missing = options.missingBookingId;
  const plain = await caller.call(readCall(options, missing));
  const hostile = await caller.call(readCall(options, hostileId));
  return [
    {
      id: 'read/not-found-status',
      section: '7',
      title: 'a booking that is not there is a 404',
      verdict:
        plain.status === 404
          ? holds
          : fails(
              `${outcomeOf(plain)} for the booking ${missing}, where 404 was expected`,
              'answer with status 404, not with 200 and an error inside',
            ),
      exchange: plain.exchange,
    },
    {
      id: 'read/not-found-body',
      section: '7',
      title: 'its body is {"success": false, "message": …} and names the booking',
      verdict: bodyVerdict(plain, missing),
      exchange: plain.exchange,
    },
    {
      id: 'read/hostile-id',
      section: '4.1, 7',
      title: 'an id with a slash, spaces and an emoji arrives whole: the 404 names it decoded',
      verdict: hostileVerdict(plain, hostile),
      exchange: hostile.exchange,
    },
  ];
}
