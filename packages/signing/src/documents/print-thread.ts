import { parentPort } from 'node:worker_threads';
import { documentPdf, type PrintJob } from './document-pdf.ts';

// An error ends the thread, which rejects the waiting job.
parentPort?.on('message', async (job: PrintJob) => {
  parentPort?.postMessage(await documentPdf(job));
});
