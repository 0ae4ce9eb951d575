import { bookingNotFoundSchema } from '@waiver-service/core';
import { type ClauseResult, fails, holds, notLookedAt, type Verdict } from '../clause.ts';
import type { Called, Caller } from '../exchange.ts';
import type { CheckOptions } from '../options.ts';
import { readCall } from './booking-address.ts';

/** What came back, in words. */
export const outcomeOf = ({ status, failure }: Called) => failure ?? `status ${status}`;

/** A key that no account has. */
export const wrongKey = 'waiver-service-check-wrong-key';

const isRefused = ({ status }: Called): boolean => status === 401 || status === 403;

function refusalVerdict(called: Called, header: string): Verdict {
  return isRefused(called)
    ? holds
    : fails(
        `${outcomeOf(called)}, where 401 or 403 was expected`,
        `refuse a request whose header ${header} does not carry the account's key: bookings hold guests' names`,
      );
}

/** That a key is asked for when a booking is read (contract 5). */
export async function checkReadAuthentication(
  caller: Caller,
  options: CheckOptions,
): Promise<ClauseResult[]> {
  const header = options['auth-header'];
  const without = await caller.call({ ...readCall(options, options.booking), auth: undefined });
  const wrong = await caller.call(readCall(options, options.booking, wrongKey));
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
  if (status !== 404) return notLookedAt('the status was not 404');
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

/** What is answered for a booking that is not there (contract 4.1, 7), and for an id that must be decoded. */
export async function checkNotFound(caller: Caller, options: CheckOptions): Promise<ClauseResult[]> {
  const missing = options['missing-booking'];
  const plain = await caller.call(readCall(options, missing));
  const hostile = await caller.call(readCall(options, hostileId));
  const statusVerdict = (called: Called, what: string, change: string) =>
    called.status === 404 ? holds : fails(`${outcomeOf(called)} for ${what}, where 404 was expected`, change);
  return [
    {
      id: 'read/not-found-status',
      section: '7',
      title: 'a booking that is not there is a 404',
      verdict: statusVerdict(
        plain,
        `the booking ${missing}`,
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
      id: 'read/encoded-id',
      section: '4.1',
      title: 'an id is percent-decoded, whatever characters it has',
      verdict:
        plain.status === 404
          ? statusVerdict(
              hostile,
              'an id with a slash, spaces and an emoji, percent-encoded',
              'decode the id after the path or the query was split',
            )
          : notLookedAt('a plain id that is not there was no 404 either'),
      exchange: hostile.exchange,
    },
  ];
}
