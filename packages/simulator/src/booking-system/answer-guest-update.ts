import { guestUpdateSchema, type Waiver } from '@waiver-service/core';
import type { ReceivedRequest, SimulatedAnswer } from '../http/received-request.ts';
import { parsePath, queryOf } from './parse-path.ts';
import { type KeyHeader, refusalOfKey, refuse } from './refuse.ts';

/** Answers a Guest Update, and stores or removes the waiver (contract 4.2). */
export function answerGuestUpdate(
  request: ReceivedRequest,
  waivers: Map<string, Waiver>,
  keyHeader: KeyHeader | undefined,
): SimulatedAnswer {
  const refusal = refusalOfKey(request, keyHeader);
  if (refusal) return refusal;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return refuse(415, 'the body must be application/json');
  }
  const update = guestUpdateSchema.safeParse(readJson(request.body));
  if (!update.success) return refuse(400, update.error.issues.map(describeIssue).join('; '));
  const { waiver } = update.data;
  const disagreement = findDisagreement(request, waiver);
  if (disagreement) return refuse(400, disagreement);
  if (waiver.deleted) waivers.delete(waiver.id);
  else waivers.set(waiver.id, waiver);
  return { status: 200, body: { success: true } };
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.join('.') || 'body'}: ${message}`;
}

// Path, query and body must agree: this reveals a badly encoded id.
function findDisagreement(request: ReceivedRequest, waiver: Waiver): string | undefined {
  const path = parsePath(request.method, request.path);
  const query = queryOf(request.path);
  if (path?.route !== 'guest-update') return 'the address is not that of a Guest Update';
  if (path.bookingId !== waiver.bookingId) return 'the path and the body name different bookings';
  if (!['', waiver.id, waiver.bookingGuestId].includes(path.guestPart)) {
    return 'the path names neither the guest nor the waiver';
  }
  if ((query.get('bookingId') ?? waiver.bookingId) !== waiver.bookingId) {
    return 'the query and the body name different bookings';
  }
  if ((query.get('bookingGuestId') ?? waiver.bookingGuestId) !== waiver.bookingGuestId) {
    return 'the query and the body name different guests';
  }
  return undefined;
}
