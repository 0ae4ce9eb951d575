import { createHash, createPublicKey } from 'node:crypto';
import Negotiator from '@fastify/accept-negotiator';
import { readDocument, readEvidence, readSigning, type SigningDetails } from '@waiver-service/api';
import {
  type EvidenceFile,
  type GuestEntry,
  type RevealingEntry,
  type SealedAct,
  type SignerEntry,
  verifyEvidence,
} from '@waiver-service/evidence';
import { parseFormText, type ShownItem, type ShownPage } from '@waiver-service/forms';
import { type Caller, type HostApp, HttpProblem, type RouteModule, seesGuests } from '@waiver-service/http';
import { missingWaiver } from '@waiver-service/integration';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { StoredEvidence } from '../data/read-evidence.ts';
import { SigningStore } from '../data/signing-store.ts';
import { withoutTurn } from '../links/guest-turns.ts';
import { documentPage, documentPagePolicy, type SigningDocument } from './document-page.ts';
import { maxGuestJobs, printDocument } from './print-document.ts';
import { type ReadReuse, reuseOf } from './reuse-blocks.ts';
import { entryOf, partOf, signingDocument } from './signing-document.ts';

const maxTextLength = 200;

const textOf = (item: ShownItem): string | undefined => {
  if (item.type === 'ask') return item.label;
  return item.type === 'sign' ? item.statement : item.text;
};

/** The first paragraph of a form's text, without its marks. */
function beginningOf(text: string): string {
  const [first] = parseFormText(text);
  const spans = first === undefined ? [] : first.type === 'list' ? (first.items[0] ?? []) : first.spans;
  const whole = spans.map((span) => span.text).join('');
  return whole.length > maxTextLength ? `${whole.slice(0, maxTextLength - 1).trimEnd()}…` : whole;
}

const nameOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Null for an invalid key, which the findings report. */
function fingerprintOf(publicKey: string): string | null {
  try {
    const key = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(key).digest('hex');
  } catch {
    return null;
  }
}

/** @param ofLeaf - the leaf of the record that the details are about */
function sealOf(file: EvidenceFile, ofLeaf: string): SigningDetails['seal'] {
  const { chain, publicKey } = file;
  const place = chain.findIndex(({ leaf }) => leaf === ofLeaf);
  const entry = chain[place];
  const above = entry && chain.slice(place).find(({ signed }) => signed !== undefined);
  return {
    leaf: ofLeaf,
    number: entry?.sequence ?? null,
    head: above?.head ?? null,
    sealedAt: above?.signed?.at ?? null,
    isStamped: file.stamp !== undefined,
    keyFingerprint: entry === undefined ? null : fingerprintOf(publicKey),
    findings: entry === undefined ? [] : [...verifyEvidence(JSON.stringify(file))],
  };
}

const reuseDetails = ({ core, email, trace }: ReadReuse): SigningDetails['reuse'] => ({
  confirmedAt: core.times.confirmedAt,
  translatedAt: trace?.translatedAt ?? null,
  proof: core.proof,
  email: email ?? null,
  question: core.question.text,
  healthQuestion: core.question.health,
});

/** Reads from the evidence of a signing who did what and when, and verifies it. */
function signingDetails(file: EvidenceFile): Omit<SigningDetails, 'copy'> {
  const { record } = file;
  const reuse = reuseOf(file);
  const core = partOf(record, 'core');
  const person = partOf(record, 'person');
  const trace = partOf(record, 'trace');
  const revealing = entryOf<RevealingEntry<ShownPage>>(record, partOf(record, 'sensitive')?.shown?.hash);
  const shown = [...(core?.shown ?? []), ...(revealing?.shown ?? [])].flatMap(({ items }) => items);
  const guests = (person?.guests ?? []).map(({ hash }) => entryOf<GuestEntry>(record, hash));
  const signer = entryOf<SignerEntry>(record, person?.signer.hash);
  const actDetails = ({ item, act, method, guest, at }: SealedAct): SigningDetails['acts'][number] => {
    const about = shown.find((one) => one.item === item);
    const text = about === undefined ? undefined : textOf(about);
    return {
      ...{ act, item, guest, at, text: text === undefined ? null : beginningOf(text) },
      ...(method === undefined ? {} : { method }),
    };
  };
  const signerName = signer?.takesPart ? guests[0]?.answers.name : signer?.guardian?.name;
  return {
    reuse: reuse === undefined ? null : reuseDetails(reuse),
    openedAt: core?.times.openedAt ?? null,
    signedAt: core?.times.signedAt ?? null,
    linkKind: core?.link.kind ?? null,
    address: trace?.address ?? null,
    userAgent: trace?.userAgent ?? null,
    translatedAt: trace?.translatedAt ?? null,
    signer: { name: nameOf(signerName), takesPart: signer?.takesPart ?? null },
    guests: guests.map((guest) => ({ name: nameOf(guest?.answers.name) })),
    acts: [...(core?.acts ?? []), ...(revealing?.acts ?? [])]
      .map(actDetails)
      .toSorted((one, other) => one.at.localeCompare(other.at)),
    seal: sealOf(file, reuse?.record.leaf ?? record.leaf),
  };
}

export const notSignedHere = () =>
  new HttpProblem(
    404,
    'no_evidence',
    'This waiver was not signed on the check-in page, so there is no evidence of it.',
  );

/**
 * The evidence of a waiver, for a caller who sees guests’ data.
 * @throws HttpProblem 403; 404 `no_evidence` if it was not signed on the check-in page; 404 or 410 for no such waiver
 */
async function requireEvidence(
  services: { readonly store: Pick<SigningStore, 'waivers' | 'signings'> },
  caller: Caller | null,
  { pool, id }: { readonly pool: string; readonly id: string },
): Promise<StoredEvidence> {
  const { waivers, signings } = services.store;
  if (!seesGuests(caller)) throw new HttpProblem(403, 'forbidden', 'Viewers see no guests’ data.');
  const evidence = await signings.evidence(pool, id);
  if (evidence !== undefined) return evidence;
  throw (await waivers.get(pool, id)) ? notSignedHere() : await missingWaiver(services, pool, id);
}

/** `GET /v1/pools/{pool}/waivers/{id}/evidence`: the file that `waiver-service verify` reads. */
@injectable()
export class EvidenceRoutes implements RouteModule {
  constructor(@inject(SigningStore) readonly store: SigningStore) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...readEvidence,
      handler: async ({ params, caller }, reply) => {
        const evidence = await requireEvidence(this, caller, params);
        return reply
          .header('content-disposition', `attachment; filename="evidence-${evidence.signing}.json"`)
          .send({ ...evidence.file });
      },
    });

    this.addDocument(app);
    this.addDetails(app);
  }

  /** `GET /v1/pools/{pool}/waivers/{id}/document`: what was signed, for people and the waiver app. */
  private addDocument(app: HostApp): void {
    app.route({
      ...readDocument,
      handler: async (request, reply) =>
        sendDocument(request, reply, await requireEvidence(this, request.caller, request.params)),
    });
  }

  /** `GET /v1/admin/pools/{pool}/waivers/{id}/signing`: who did what and when, and what the record proves. */
  private addDetails(app: HostApp): void {
    app.route({
      ...readSigning,
      handler: async ({ params, caller }) => {
        const evidence = await requireEvidence(this, caller, params);
        const copy = await this.store.signings.copies.ofWaiver(params.pool, params.id);
        return { ...signingDetails(evidence.file), copy: copy ?? null };
      },
    });
  }
}

const nothingLeft = () =>
  new HttpProblem(404, 'no_document', 'What was signed is erased: there is nothing to show.');

/** The document of a signing. */
function documentOf({ file, poolName: operator }: StoredEvidence, isGuestCopy: boolean): SigningDocument {
  // The whole record may have been erased.
  if (!file.record.parts.some((part) => part.name === 'core' && 'text' in part)) throw nothingLeft();
  return signingDocument(file, { operator, isGuestCopy });
}

/** Sends what was signed as a page that a browser can print. */
const sendPage = (reply: FastifyReply, evidence: StoredEvidence, isGuestCopy: boolean): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', documentPagePolicy)
    .header('content-disposition', `inline; filename="signing-${evidence.signing}.html"`)
    .send(documentPage(documentOf(evidence, isGuestCopy)));

/** Sends what was signed as PDF/A-3, with the evidence in it. */
async function sendPdf(
  reply: FastifyReply,
  evidence: StoredEvidence,
  isGuestCopy: boolean,
): Promise<FastifyReply> {
  // The evidence of a confirmation has the earlier answers, too, which the copy leaves out.
  const isPartial = isGuestCopy && reuseOf(evidence.file) !== undefined;
  const job = {
    document: documentOf(evidence, isGuestCopy),
    evidence: isPartial ? undefined : JSON.stringify(evidence.file),
    reference: evidence.signing,
  };
  // Documents are printed one after the other.
  const pdf = await (isGuestCopy ? withoutTurn(() => printDocument(job, maxGuestJobs)) : printDocument(job));
  return reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `inline; filename="signing-${evidence.signing}.pdf"`)
    .send(pdf);
}

/** Sends what was signed as a page, or as PDF if the request prefers that. */
export async function sendDocument(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  evidence: StoredEvidence,
  { isGuestCopy = false }: { readonly isGuestCopy?: boolean } = {},
): Promise<FastifyReply> {
  reply.header('vary', 'accept');
  const preferred = Negotiator.negotiate(headers.accept ?? '', ['text/html', 'application/pdf']);
  const send = preferred === 'application/pdf' ? sendPdf : sendPage;
  return send(reply, evidence, isGuestCopy);
}
