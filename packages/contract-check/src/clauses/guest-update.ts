import { guestUpdateResponseSchema, maxWaiverIdBytes, type Waiver } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/plugin-kit';
import {
  type CheckOptions,
  type ClauseResult,
  fails,
  holds,
  notChecked,
  timeIsOver,
  type Verdict,
} from '../clause.ts';
import type { Call, Called, Caller } from '../exchange.ts';
import { isKeyRefused, keyRefused, outcomeOf, wrongKey } from './read-refusals.ts';

/** A waiver for a Guest Update, which is sent only with `write`. It names no person. */
function testWaiver(options: CheckOptions, change: Partial<Waiver> = {}): Waiver {
  const now = new Date().toISOString();
  const id = `waiver-service-check-${now}`;
  return {
    id,
    pool: options.pool,
    bookingId: options.bookingId,
    lastVisit: now,
    deleted: false,
    updatedAt: now,
    ...change,
  };
}

function pathEnd(choice: CheckOptions['guestId'], { id, bookingGuestId }: Waiver): string {
  if (choice === 'none') return '';
  return choice === 'waiver-id' ? id : (bookingGuestId ?? id);
}

// As the waiver service itself sends it: with the guest, if known, in the path and the query.
function writeCall(options: CheckOptions, waiver: Waiver, key = options.apiKey): Call {
  const { bookingId, bookingGuestId } = waiver;
  const last = percentEncode(pathEnd(options.guestId, waiver));
  return {
    method: 'POST',
    path: `bookings/${percentEncode(bookingId)}/guests/${last}`,
    query: { bookingId, bookingGuestId },
    auth: { name: options.guestUpdateAuthHeaderName, key },
    body: { waiver },
  };
}

const isTaken = ({ status, data }: Called) => {
  const answer = guestUpdateResponseSchema.safeParse(data);
  return status !== undefined && status >= 200 && status < 300 && answer.success && answer.data.success;
};

function acceptedVerdict(called: Called, what: string, change: string): Verdict {
  if (isTaken(called)) return holds;
  const { answer } = called.exchange;
  const suffix = 'body' in answer ? ` with the body ${answer.body.slice(0, 200) || 'of no bytes'}` : '';
  return fails(
    `${outcomeOf(called)}${suffix} for ${what}, where status 200 and {"success": true} were expected`,
    change,
  );
}

// New for each check: a partner may refuse an id that was voided before.
function longHostileId(): string {
  const start = `waiver-service-check / ? # % + 🛶 é ${new Date().toISOString()} `;
  return start + 'x'.repeat(maxWaiverIdBytes - Buffer.byteLength(start));
}

interface WriteClause {
  readonly id: string;
  readonly section: string;
  readonly title: string;
  readonly call: Call;
  readonly judge: (called: Called) => Verdict;
}

function furtherClauses(options: CheckOptions, waiver: Waiver, hostile: Waiver): WriteClause[] {
  const later = { ...waiver, updatedAt: new Date(Date.parse(waiver.updatedAt) + 1000).toISOString() };
  const voided = { ...later, deleted: true };
  return [
    {
      id: 'write/repeat',
      section: '3',
      title: 'a later update with the same waiver id is taken',
      call: writeCall(options, later),
      judge: (called) =>
        acceptedVerdict(
          called,
          'the second update of one waiver',
          'replace what is stored for the waiver id; each step of a waiver is one update',
        ),
    },
    {
      id: 'write/long-id',
      section: '8',
      title: 'a waiver id of 256 bytes that are not URL-safe is taken',
      call: writeCall(options, hostile),
      judge: (called) =>
        acceptedVerdict(called, 'such an id', 'decode the id in the path, and keep 256 bytes of UTF-8'),
    },
    {
      id: 'write/wrong-key',
      section: '5',
      title: 'a Guest Update with a wrong key is refused',
      call: writeCall(options, later, wrongKey),
      judge: (called) =>
        called.status === 401 || called.status === 403
          ? holds
          : fails(
              `${outcomeOf(called)}, where 401 or 403 was expected`,
              `ask for the key in the header ${options.guestUpdateAuthHeaderName}`,
            ),
    },
    {
      id: 'write/void',
      section: '3',
      title: 'a voided waiver (deleted: true) is taken',
      call: writeCall(options, voided),
      judge: (called) =>
        acceptedVerdict(called, 'a void', 'remove the waiver from your system, and answer success'),
    },
  ];
}

function firstVerdict(first: Called, options: CheckOptions): Verdict {
  if (isKeyRefused(first)) return keyRefused(first, options.advice.guestUpdateKey);
  return acceptedVerdict(
    first,
    'a first update',
    'store the waiver, and answer status 200 with {"success": true}',
  );
}

/**
 * Sends Guest Updates for the booking, and voids what it sent (contract 3, 4.2, 5, 8). `bookingGuestId` is one of the
 * booking's guests; the second waiver has none, like that of a guest who is not in the booking's list.
 */
export async function* checkGuestUpdate(
  caller: Caller,
  options: CheckOptions,
  bookingGuestId: string | undefined,
): AsyncGenerator<ClauseResult> {
  const waiver = testWaiver(options, bookingGuestId === undefined ? {} : { bookingGuestId });
  const hostile = testWaiver(options, { id: longHostileId() });
  try {
    const first = await caller.call(writeCall(options, waiver));
    yield {
      id: 'write/accepted',
      section: '4.2',
      title: 'a Guest Update is answered with {"success": true}',
      verdict: firstVerdict(first, options),
      exchange: first.exchange,
    };
    for (const { call, judge, ...clause } of furtherClauses(options, waiver, hostile)) {
      const because = isKeyRefused(first) ? 'the key was refused' : caller.isOver ? timeIsOver : undefined;
      if (because === undefined) {
        const called = await caller.call(call);
        yield { ...clause, verdict: judge(called), exchange: called.exchange };
      } else yield { ...clause, verdict: notChecked(because) };
    }
  } finally {
    // Whatever the responses, waivers may have been stored: void them even if the check was aborted.
    for (const sent of [waiver, hostile]) {
      const updatedAt = new Date().toISOString();
      await caller.callAtLast(writeCall(options, { ...sent, updatedAt, deleted: true }));
    }
  }
}
