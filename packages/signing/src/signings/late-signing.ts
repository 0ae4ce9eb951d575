import { createHash } from 'node:crypto';
import { draftWaivers, loadSentences, type Signing, signingSchema } from '@waiver-service/forms';
import { type Caller, findUnstorable, HttpProblem, readJsonBody } from '@waiver-service/http';
import { dayIn } from '@waiver-service/integration';
import type { Actor } from '@waiver-service/waivers';
import { z } from 'zod';
import type { UsedCheckInLink } from '../data/check-in-links.ts';
import type { NewLateSigning } from '../data/late-signings.ts';
import type { SigningStore } from '../data/signing-store.ts';
import type { StoredSigning } from '../data/store-signing.ts';
import { publishedForm } from '../forms/published-forms.ts';
import { type FindKiosk, kioskCaller, linkedGuest } from '../links/link-access.ts';
import type { OpenedBookings } from '../links/link-booking.ts';
import { linkKind } from '../links/session-route.ts';
import type { SigningSettings } from '../signing-settings.ts';
import { contentHashOf, prepareSigning, type SigningPlace } from './signing-checks.ts';
import { signingOf } from './signing-route.ts';

/**
 * When a signing that waited on a device was made, by the service's clock: the device's time, corrected by how far its
 * clock was off when the page last compared it. Never later than its arrival, nor before the guest could have signed.
 * A page of an earlier version made no comparison: its claim counts within the same bounds, as it did then.
 *
 * @param since - when the link was made or the kiosk was paired, if it is known
 */
async function lateSignedAt(
  { forms }: Pick<SigningStore, 'forms'>,
  pool: string,
  { signing, clockAheadMs = 0 }: Pick<LateBody, 'signing' | 'clockAheadMs'>,
  { since, receivedAt }: { readonly since: Date | null; readonly receivedAt: Date },
): Promise<Date> {
  if (signing === undefined) return receivedAt;
  const version = await forms.version(pool, signing.form, signing.version);
  const earliest = Math.max(since?.getTime() ?? 0, version?.publishedAt.getTime() ?? 0);
  const signedAt = Math.max(Date.parse(signing.times.signedAt) - clockAheadMs, earliest);
  return new Date(Math.min(signedAt, receivedAt.getTime()));
}

/** The place of a signing that waited on a device. */
type LatePlace = SigningPlace & {
  /** Why staff must decide where it belongs. */
  readonly problem?: 'link_unknown' | 'link_revoked' | 'link_expired' | 'kiosk_unknown' | 'kiosk_revoked';
};

/**
 * Why a link does not cover a signing that arrives now; undefined if it does. It may have expired since the signing. If
 * it was withdrawn, it may have been in the wrong hands, and only the device says when it was signed.
 */
function linkProblem(
  { revokedAt, expiresAt }: Pick<UsedCheckInLink, 'revokedAt' | 'expiresAt'>,
  signedAt: Date,
): LatePlace['problem'] {
  if (revokedAt !== null) return 'link_revoked';
  return expiresAt !== null && signedAt >= expiresAt ? 'link_expired' : undefined;
}

/** The place of a signing at a kiosk: the booking that was chosen there, if any. */
export const kioskPlace = (
  { id, pool, timeZone }: Pick<SigningPlace, 'id' | 'pool' | 'timeZone'>,
  booking: LateBody['booking'],
): SigningPlace => ({
  ...{ id, pool, timeZone, bookingGuestId: null, expiresAt: null, kind: 'kiosk' },
  bookingSystem: booking?.bookingSystem ?? null,
  bookingId: booking?.bookingId ?? null,
});

interface FoundPlace {
  readonly place: LatePlace;
  /** When it was signed, by the service's clock. */
  readonly signedAt: Date;
  readonly caller?: Caller;
}

/** The place for the token in an envelope, and when it was signed there. */
export async function findLatePlace(
  { store, findKiosk }: { readonly store: SigningStore; readonly findKiosk: FindKiosk },
  pool: string,
  body: LateBody,
  receivedAt: Date,
): Promise<FoundPlace> {
  const { token, booking } = body;
  const signedSince = (since: Date | null) => lateSignedAt(store, pool, body, { since, receivedAt });
  const kiosk = token.startsWith('wsk_') ? await findKiosk(token) : undefined;
  if (kiosk !== undefined && kiosk.pool === pool) {
    const place = kioskPlace(kiosk, booking);
    return {
      place: kiosk.revokedAt === null ? place : { ...place, problem: 'kiosk_revoked' },
      signedAt: await signedSince(kiosk.pairedAt),
      caller: kioskCaller(kiosk),
    };
  }

  const link = await store.checkInLinks.find(token);
  if (link === undefined || link.pool !== pool) {
    // A kiosk that was paired again has another credential. The booking is still the one that was chosen there.
    const isKiosk = token.startsWith('wsk_');
    const timeZone = (await store.pools.get(pool))?.timeZone ?? 'UTC';
    const place = kioskPlace({ id: null, pool, timeZone }, isKiosk ? booking : undefined);
    const problem = isKiosk ? 'kiosk_unknown' : 'link_unknown';
    return { place: { ...place, kind: 'unknown', problem }, signedAt: await signedSince(null) };
  }
  const signedAt = await signedSince(link.createdAt);
  const problem = linkProblem(link, signedAt);
  const place = { ...link, kind: linkKind(link), ...(problem === undefined ? {} : { problem }) };
  return { place, signedAt, caller: linkedGuest(link) };
}

type Services = {
  readonly store: SigningStore;
  readonly openedBookings: OpenedBookings;
  readonly settings: SigningSettings;
};

const bodySchema = z.object({
  token: z.string().max(200),
  booking: z.object({ bookingSystem: z.string().max(100), bookingId: z.string().max(256) }).optional(),
  signing: z.unknown(),
  // By how many milliseconds the device's clock was ahead when the page last compared it; earlier pages did not. A value
  // that is no offset counts as none: nothing of a guest who was thanked is refused for it.
  clockAheadMs: z.int().optional().catch(undefined),
});

/** The content of an envelope: the token of the link or the kiosk, and what was signed. */
interface LateBody extends Readonly<z.output<typeof bodySchema>> {
  /** Undefined if the content is not a signing: the device had a fault, or was tampered with. */
  readonly signing: Signing | undefined;
}

/** No signing is nested as deeply. */
const maxDepth = 10;

/** With each text as it can be stored: some keyboards leave half an emoji in a field. */
function storable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '').toWellFormed();
  if (typeof value !== 'object' || value === null || depth === maxDepth) return value;
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, storable(inner, depth + 1)]));
}

function parse(text: string): unknown {
  try {
    const read = readJsonBody(Buffer.from(text));
    // Guests who were thanked cannot correct anything.
    const value = findUnstorable(read) === undefined ? read : storable(read);
    return findUnstorable(value) === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof HttpProblem) return undefined;
    throw error;
  }
}

/** Reads the content of an envelope. */
export function readLateBody(text: string): LateBody {
  const read = bodySchema.safeParse(parse(text));
  if (!read.success) return { token: '', signing: undefined };
  const { token, booking, signing, clockAheadMs } = read.data;
  return { token, booking, signing: signingSchema.safeParse(signing).data, clockAheadMs };
}

/** A summary for the list that staff see. */
export const lateSummarySchema = z.object({
  names: z.array(z.string()),
  email: z.string().nullable(),
  signedAt: z.string().nullable(),
});

/** The answers of the guests by their properties, as far as they can be read. */
async function answersOf(
  { store }: Pick<Services, 'store'>,
  { place: { pool, timeZone }, body: { signing }, signedAt }: ArrivedLate,
) {
  const version = signing && (await store.forms.version(pool, signing.form, signing.version));
  if (signing === undefined || version === undefined) return [];
  const day = { date: dayIn(timeZone, signedAt), activities: [] };
  const sentences = await loadSentences(signing.language);
  return draftWaivers(publishedForm(version).content, signing, day, sentences).map(({ answers }) => answers);
}

const textsOf = (signing: Signing | undefined): string[] =>
  [signing?.signer, ...(signing?.guests ?? [])]
    .flatMap((each) => Object.values(each?.answers ?? {}))
    .filter((answer) => typeof answer === 'string');

const keptSchema = z.object({
  text: z.string(),
  address: z.string(),
  userAgent: z.string().optional(),
  signedAt: z.iso
    .datetime()
    .optional()
    .describe('By the service’s clock. Undefined if it was kept before the clocks were compared.'),
});

/** Reads a body that was kept for staff. */
export function readKeptBody(kept: string): LateBody & z.infer<typeof keptSchema> {
  const read = keptSchema.parse(JSON.parse(kept));
  return { ...read, ...readLateBody(read.text) };
}

async function lateSigning(
  services: Services,
  arrived: ArrivedLate,
  { address, userAgent }: Trace,
  reason: string,
): Promise<NewLateSigning> {
  const { place, body, text } = arrived;
  const { signing } = body;
  const signedAt = arrived.signedAt.toISOString();
  const { pool, bookingSystem, bookingId, id: link } = place;
  const answers = await answersOf(services, arrived);
  const named = (name: string) =>
    answers.map((each) => each[name]).filter((each) => typeof each === 'string');
  const summary: z.infer<typeof lateSummarySchema> = {
    names: named('name'),
    email: named('email')[0] ?? null,
    signedAt: signing === undefined ? null : signedAt,
  };
  return {
    ...{ pool, link, bookingSystem, bookingId, reason },
    isAtKiosk: place.kind === 'kiosk',
    body: JSON.stringify({ text, address, userAgent, signedAt } satisfies z.infer<typeof keptSchema>),
    signing: signing?.id ?? null,
    summary: JSON.stringify(summary),
    contentHash: hashOf(text),
    // Every answer that may be an address, whatever the form calls it, so that an erasure finds it.
    emails: [...new Set(textsOf(signing).filter((answer) => answer.includes('@')))],
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A signing that waited on a device, and where it belongs. */
export interface ArrivedLate {
  readonly place: LatePlace;
  readonly body: LateBody;
  /** The content of its envelope. */
  readonly text: string;
  readonly receivedAt: Date;
  /** By the service's clock. */
  readonly signedAt: Date;
}

interface Trace {
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly by: Actor;
  readonly signal: AbortSignal;
}

/** The outcome of a signing that waited on a device. `kept`: staff must look at it, for this reason. */
export type LateOutcome =
  | { readonly outcome: 'stored' | 'same'; readonly signing: StoredSigning }
  | { readonly outcome: 'kept'; readonly reason: string };

const full = () =>
  new HttpProblem(
    429,
    'too_many_late_signings',
    'Too many signings of this pool wait for its staff: keep this one, and send it again later.',
    { headers: { 'retry-after': '3600' } },
  );

/** @returns the problem's code if the same request would fail again */
function lastingCode(error: unknown): string | undefined {
  return error instanceof HttpProblem && error.status < 500 && error.status !== 429 ? error.code : undefined;
}

/** Stores a signing as its guests' waivers. @throws HttpProblem as for an ordinary signing */
async function storeAsWaivers(
  services: Services,
  { place, body: { signing, clockAheadMs }, receivedAt, signedAt }: ArrivedLate,
  trace: Trace,
): Promise<LateOutcome> {
  // First: what comes by a link that was withdrawn has the room of strangers, whatever it is.
  if (place.problem !== undefined) throw new HttpProblem(401, place.problem, 'The link does not work.');
  if (signing === undefined) throw new HttpProblem(400, 'malformed', 'The envelope holds no signing.');
  const prepared = await prepareSigning(services, {
    ...trace,
    ...{ signing, place, receivedAt, signedAt, clockAheadMs },
    judgement: 'late',
  });
  if ('changed' in prepared) throw new HttpProblem(409, 'form_changed', 'The form has changed.');
  const result = await services.store.signings.store(prepared);
  return { outcome: result.outcome === 'same' ? 'same' : 'stored', signing: signingOf(result) };
}

/**
 * Stores a signing that waited on a device: as waivers, or else for staff to review, so that no guest's signing is
 * lost. A repeat is answered like the first time.
 * @throws HttpProblem 429 `too_many_late_signings`
 */
export async function storeLateSigning(
  services: Services,
  arrived: ArrivedLate,
  trace: Trace,
): Promise<LateOutcome> {
  const { store } = services;
  const { place, body, text } = arrived;
  const { pool } = place;
  const { signing } = body;
  if (signing !== undefined) {
    const known = await store.signings.find({ pool, id: signing.id, contentHash: contentHashOf(signing) });
    if (known?.outcome === 'same') return { outcome: 'same', signing: signingOf(known) };
  }
  if (await store.lateSignings.has(pool, hashOf(text))) return { outcome: 'kept', reason: 'repeated' };
  try {
    return await storeAsWaivers(services, arrived, trace);
  } catch (error) {
    const reason = lastingCode(error);
    if (reason === undefined) throw error;
    const kept = await store.lateSignings.keep(await lateSigning(services, arrived, trace, reason));
    if (kept === 'full') throw full();
    return { outcome: 'kept', reason };
  }
}
