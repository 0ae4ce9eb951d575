import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { maxSignedDocumentBytes, RateLimited, type SignedDocument, type Warning } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import type { Signings } from '../data/signing-store.ts';
import type { PrintJob } from './document-pdf.ts';
import { signingDocument } from './signing-document.ts';

/** Including the one being printed. Each keeps its evidence in memory, with photos. */
const maxJobs = 16;
/** The limit for documents that no one waits for, to leave room for the others. */
export const maxBackgroundJobs = 4;
/** The limit for copies, which anyone with a link may ask for, to leave room for staff. */
export const maxGuestJobs = 8;
const maxPrintMs = 30_000;
/** A thread with parsed fonts prints a document in a fifth of the time, but takes some 100 MB. */
const maxIdleMs = 60_000;
const maxThreadMb = 512;

const threadFile = new URL(`./print-thread${extname(import.meta.url)}`, import.meta.url);
let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let jobs = 0;
let former: Promise<unknown> = Promise.resolve();

function endThread(ended: Worker): void {
  if (thread === ended) thread = undefined;
  void ended.terminate();
}

function startThread(): Worker {
  const started = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: maxThreadMb } });
  started.on('error', () => endThread(started));
  return started;
}

async function printNow(job: PrintJob): Promise<Buffer> {
  clearTimeout(idle);
  thread ??= startThread();
  const printing = thread;
  printing.ref();
  try {
    printing.postMessage(job);
    const [pdf]: unknown[] = await once(printing, 'message', { signal: AbortSignal.timeout(maxPrintMs) });
    if (!(pdf instanceof Uint8Array)) throw new TypeError('the thread sent no PDF');
    return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  } catch (error) {
    endThread(printing);
    throw error;
  } finally {
    printing.unref();
    idle = setTimeout(endThread, maxIdleMs, printing).unref();
  }
}

/**
 * Prints a document as PDF, one at a time, in a thread that the whole process shares: on the main thread, it would
 * block the host's other requests.
 *
 * @param limit - the maximum number of jobs, including this one
 * @throws HttpProblem 503 `too_many_documents` if too many wait already
 */
export async function printDocument(job: PrintJob, limit = maxJobs): Promise<Buffer> {
  if (jobs >= limit) {
    throw new HttpProblem(
      503,
      'too_many_documents',
      `This host is making ${limit} documents. Ask again after the time in Retry-After, or for the page (Accept: text/html).`,
      { headers: { 'retry-after': '5' } },
    );
  }
  jobs += 1;
  try {
    const printed = former.then(() => printNow(job));
    former = printed.catch(() => undefined);
    return await printed;
  } finally {
    jobs -= 1;
  }
}

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
