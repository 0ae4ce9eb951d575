export { database } from './database.ts';
export { forgetSession, keepSession, readKeptSession } from './kept-sessions.ts';
export {
  attendedMs,
  dropSigning,
  isWaiting,
  keepSigning,
  leaveSigning,
  sendNow,
  startOutbox,
} from './outbox.ts';
