export {
  type CopyMail,
  type ExportedCopyMail,
  eraseCopyMails,
  exportCopyMails,
  GuestMail,
  type MailState,
} from './copy-mails.ts';
export { eraseLateSignings, exportLateSignings, type LateSigning } from './late-signings.ts';
export { eraseMailBudgets, mailOrder, takeMailOfDay } from './mail-budget.ts';
export { readEvidence } from './read-evidence.ts';
export { readFlags } from './read-flags.ts';
export { eraseReturningCodes } from './returning-codes.ts';
export { signingData } from './signing-data.ts';
export { openSigningStore, SigningStore } from './signing-store.ts';
export { eraseSigned } from './signings.ts';
