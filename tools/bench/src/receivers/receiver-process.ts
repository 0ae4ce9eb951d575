// Receives every message: a separate process, so that its CPU time does not count as the sender's.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Order, Report } from './receivers.ts';

/** Each is a separate origin, with its own connections. */
const portCount = 100;

const report = (report: Report) => process.send?.(report);
const accepted = Buffer.from('{"success":true}');
const headers = { 'content-type': 'application/json', 'content-length': accepted.length };

let total = Number.POSITIVE_INFINITY;
let count = 0;

function countOne() {
  count += 1;
  if (count === total) report({ kind: 'reached' });
}

function takeMessage(request: IncomingMessage, response: ServerResponse) {
  request.resume().once('end', () => {
    response.writeHead(200, headers).end(accepted);
    countOne();
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

/** A typical booking, as Booking Details answers it: six guests with extra fields, two sessions. */
const bookingText = (id: string) =>
  JSON.stringify({
    id,
    status: 'Active',
    contact: { name: 'Ada Booker', email: 'ada@example.com', phoneNumber: '+1 555 010 2000' },
    pax: 6,
    notes: 'Arrives by bus; two of the guests are on their first trip.',
    channel: 'website',
    guests: numbers(6).map((number) => ({
      id: `guest-${number}`,
      name: `Guest Number ${number}`,
      email: `guest.${number}@example.com`,
      phoneNumber: `+1 555 010 ${1000 + number}`,
      tShirtSize: 'M',
      swims: true,
    })),
    bookedSessions: numbers(2).map((number) => ({
      startsAt: `2026-07-0${number + 1}T09:00:00Z`,
      endsAt: `2026-07-0${number + 1}T12:30:00Z`,
      activityId: `activity-${number}`,
      activityName: 'Whitewater rafting, half a day',
    })),
  });

function answerBooking(request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://receiver');
  const id = decodeURIComponent(pathname.split('/').at(-1) ?? '');
  response.writeHead(200, { 'content-type': 'application/json' }).end(bookingText(id));
}

async function listen(): Promise<number> {
  const server = createServer((request, response) =>
    request.method === 'GET' ? answerBooking(request, response) : takeMessage(request, response),
  );
  // Longer than any row: the sender's time must not include reconnecting.
  server.keepAliveTimeout = 300_000;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return address.port;
}

process.on('message', (order: Order) => {
  total = order.total;
  count = 0;
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C also reaches the benchmarks, which end this process once they have stopped its senders.
process.on('SIGINT', () => {});

const ports = await Promise.all(Array.from({ length: portCount }, listen));
report({ kind: 'listening', ports });
