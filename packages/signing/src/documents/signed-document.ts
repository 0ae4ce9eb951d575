import { maxSignedDocumentBytes, RateLimited, type SignedDocument, type Warning } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import type { Signings } from '../data/signings.ts';
import { maxBackgroundJobs, printDocument } from './print-document.ts';
import { signingDocument } from './signing-document.ts';

const retryBusyAfterMs = 2_000;

/** The waiver that a document is of. */
interface WaiverToShow {
  readonly pool: string;
  readonly waiverId: string;
}

const isBusy = (error: unknown) => error instanceof HttpProblem && error.code === 'too_many_documents';

/**
 * The signed document of a waiver for its booking system: made when the plugin asks for it, and not stored. A waiver
 * that was not signed here has none. If an expected document cannot be sent, `warn` gets the reason and the waiver is
 * sent without it; if too many others are being made, the waiver waits.
 */
export function signedDocumentOf(
  signings: Pick<Signings, 'evidence'>,
  { pool, waiverId }: WaiverToShow,
  warn: (warning: Warning) => void,
  print: typeof printDocument = printDocument,
): SignedDocument {
  const without = (why: string) => {
    warn({
      code: 'waiver_partly_written',
      path: 'document',
      message: `the signed document was not sent: ${why}`,
    });
    return undefined;
  };
  return async () => {
    const evidence = await signings.evidence(pool, waiverId);
    if (evidence === undefined) return undefined;
    const { file, poolName: operator, signing: reference } = evidence;
    if (!file.record.parts.some((part) => part.name === 'core' && 'text' in part)) {
      return without('what was signed is erased');
    }
    try {
      const document = signingDocument(file, { operator, isForBookingSystem: true });
      const pdf = await print({ document, evidence: undefined, reference }, maxBackgroundJobs);
      if (pdf.byteLength <= maxSignedDocumentBytes) return pdf;
      return without(`it has ${pdf.byteLength} bytes, and ${maxSignedDocumentBytes} is the most`);
    } catch (error) {
      if (!isBusy(error)) return without('it could not be made');
      const message = 'this host is making other documents';
      throw new RateLimited(message, { notSent: true, retryAfterMs: retryBusyAfterMs, cause: error });
    }
  };
}
