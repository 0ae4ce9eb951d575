export { database } from './database.ts';
export { forgetSession, keepSession, readKeptSession } from './kept-sessions.ts';
export {
  attendedMs,
  canKeep,
  dropSigning,
  isWaiting,
  keepSigning,
  leaveSigning,
  sendNow,
  startOutbox,
} from './outbox.ts';
