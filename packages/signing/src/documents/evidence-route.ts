import Negotiator from '@fastify/accept-negotiator';
import { readDocument, readEvidence, readSigning } from '@waiver-service/api';
import { type Caller, type HostApp, HttpProblem, type RouteModule, seesGuests } from '@waiver-service/http';
import { missingWaiver } from '@waiver-service/integration';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { StoredEvidence } from '../data/read-evidence.ts';
import { SigningStore } from '../data/signing-store.ts';
import { withoutTurn } from '../links/guest-turns.ts';
import type { SigningDocument } from './document-blocks.ts';
import { documentPage, documentPagePolicy } from './document-page.ts';
import { maxGuestJobs, printDocument } from './print-document.ts';
import { reuseOf } from './reuse-blocks.ts';
import { signingDetails } from './signing-details.ts';
import { signingDocument } from './signing-document.ts';

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
