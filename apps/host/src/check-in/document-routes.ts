import Negotiator from '@fastify/accept-negotiator';
import { readDocument } from '@waiver-service/api';
import type { StoredEvidence } from '@waiver-service/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { SigningDocument } from '../documents/document-blocks.ts';
import { documentPage, documentPagePolicy } from '../documents/document-page.ts';
import { maxGuestJobs, printDocument } from '../documents/print-document.ts';
import { reuseOf } from '../documents/reuse-blocks.ts';
import { signingDocument } from '../documents/signing-document.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { requireEvidence } from './evidence-route.ts';
import { withoutTurn } from './guest-turns.ts';

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

/** `GET /v1/pools/{pool}/waivers/{id}/document`: what was signed, for people and the waiver app. */
@injectable()
export class DocumentRoute implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...readDocument,
      handler: async (request, reply) =>
        sendDocument(request, reply, await requireEvidence(this, request.caller, request.params)),
    });
  }
}
