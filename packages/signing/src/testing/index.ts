// For tests of a whole host.
export type { DocumentBlock, SigningDocument } from '../documents/document-page.ts';
export { documentPdf } from '../documents/document-pdf.ts';
export { checkInSession } from '../links/session-route.ts';
export { readLateBody } from '../signings/late-signing.ts';
export { requireGuestsOfLink } from '../signings/signing-checks.ts';
export { signingDay } from '../signings/signing-day.ts';
export { noGuestMail, signingOnTestHosts, withoutGuestMailOrKiosks } from './on-test-hosts.ts';
export { type Sample, sampleEvidence, samples } from './sample-evidence.ts';
