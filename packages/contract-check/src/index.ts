export { type CheckOutcome, type CheckRun, checkContract, type SentByCheck, sentByCheck } from './check.ts';
export type { CheckAdvice, CheckOptions, ClauseResult, Verdict } from './clause.ts';
export type { CheckedExchange } from './exchange.ts';
export {
  parseRecording,
  type RecordedExchange,
  type Recording,
  readRecording,
  replayUses,
} from './record/read-recording.ts';
export { type RecordRequest, recordRead } from './record/record-read.ts';
export { unwrittenPlugin } from './record/uses.ts';
