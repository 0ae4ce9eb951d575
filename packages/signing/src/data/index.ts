export {
  type CopyMail,
  type ExportedCopyMail,
  eraseCopyMails,
  exportCopyMails,
  GuestMail,
  type MailState,
} from './copies.ts';
export { eraseLateSignings, exportLateSignings, type LateSigning } from './late-signings.ts';
export { eraseMailBudgets, mailOrder, takeMailOfDay } from './mail-budget.ts';
export { readEvidence } from './read-evidence.ts';
export { eraseReturningCodes } from './returning-codes.ts';
export { signingData } from './signing-data.ts';
export { eraseSigned, openSigningStore, readFlags, SigningStore } from './signing-store.ts';
