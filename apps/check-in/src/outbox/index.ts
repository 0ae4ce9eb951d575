export { database } from './database.ts';
export { forgetSession, keepSession, readKeptSession } from './kept-sessions.ts';
export {
  dropSigning,
  isWaiting,
  keepSigning,
  leaveSigning,
  patienceMs,
  sendNow,
  startOutbox,
} from './outbox.ts';
