import { setTimeout as delay } from 'node:timers/promises';
import type { SimulatedOcto } from '@waiver-service/plugin-octo/simulator';
import { z } from 'zod';
import { arrivalsOf, type demoDays, octoBookingsOf, waiversOf, walkInsOf } from './saturday.ts';
import { showHeading, showStep } from './screen.ts';
import { pool } from './story.ts';
import { anything, type WaiverServiceClient } from './waiver-service-client.ts';

/** The participants in the day. */
export interface SaturdayCast {
  readonly operator: WaiverServiceClient;
  /** A booking system that lists its bookings, with those of `days`. */
  readonly octo: SimulatedOcto;
  readonly octoKey: string;
  readonly days: ReturnType<typeof demoDays>;
}

const boardSchema = z.looseObject({
  counts: z.object({
    bookings: z.int(),
    guests: z.int(),
    signed: z.int(),
    missing: z.int(),
    arrived: z.int(),
  }),
  bookings: z.array(z.looseObject({ bookingId: z.string() })),
  walkIns: z.array(z.unknown()),
});
type Board = z.infer<typeof boardSchema>;

const pathOf = (day: string) => `/v1/admin/pools/${pool}/days/${day}`;

async function readBoard(operator: WaiverServiceClient, day: string): Promise<Board> {
  const { body } = await operator.call('GET', pathOf(day), boardSchema);
  return body;
}

/** The operator installs the booking system; it has no install call. */
async function installOcto({ operator, octo, octoKey }: SaturdayCast): Promise<void> {
  await operator.call('PUT', '/v1/admin/booking-systems/octo', anything, {
    baseUrl: octo.url,
    // An earlier run of the demo had another port.
    sendCredentialsTo: octo.url,
  });
  const installation = `/v1/admin/pools/${pool}/installations/octo`;
  await operator.call('PUT', installation, anything, { accountId: 'demo', apiKey: octoKey });
}

/** Reading the board makes the service list the day's bookings, in the background. */
async function untilListed(operator: WaiverServiceClient, day: string): Promise<Board> {
  const expected = octoBookingsOf(day);
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    const board = await readBoard(operator, day);
    const ids = new Set(board.bookings.map(({ bookingId }) => bookingId));
    if (expected.every(({ uuid }) => ids.has(uuid))) return board;
    await delay(50);
  }
  throw new Error(`the day board does not show the bookings of ${day}`);
}

/** Guests of the day sign, and arrive. */
async function fillDay(operator: WaiverServiceClient, day: string): Promise<void> {
  const { walkIns } = await untilListed(operator, day);
  // An earlier run of the demo has filled this day.
  if (walkIns.length > 0) return;
  const sign = (waiver: unknown) => operator.call('POST', `/v1/pools/${pool}/waivers`, anything, waiver);
  await Promise.all(waiversOf(day).map(sign));
  const arrived = true;
  for (const { bookingId, guests } of arrivalsOf(day)) {
    const path = `${pathOf(day)}/bookings/${bookingId}/arrivals`;
    await operator.call('PUT', path, anything, { bookingSystem: 'octo', guests, arrived });
  }
  await Promise.all(walkInsOf(day).map(sign));
}

/** A second booking system lists its bookings, and the day board shows who has signed for them. */
export async function showSaturday(cast: SaturdayCast): Promise<void> {
  const { operator, days } = cast;
  showHeading('A Saturday');
  await installOcto(cast);
  showStep('The operator connected a second booking system, which speaks OCTO and lists its bookings');
  const startedAt = performance.now();
  await Promise.all([...new Set([days.saturday, days.today])].map((day) => fillDay(operator, day)));
  const { counts } = await readBoard(operator, days.saturday);
  showStep(
    `The board of Saturday, ${days.saturday}: ${counts.bookings} bookings, ${counts.guests} guests, ${counts.signed} signed, ${counts.missing} missing, ${counts.arrived} arrived, a school class in a late bus`,
    performance.now() - startedAt,
  );
}
