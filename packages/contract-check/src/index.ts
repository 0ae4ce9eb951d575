export { type CheckOutcome, type CheckRun, checkContract } from './check.ts';
export type { ClauseResult, Verdict } from './clause.ts';
export type { CheckedExchange } from './exchange.ts';
export type { CheckAdvice, CheckOptions } from './options.ts';
export {
  type RecordedExchange,
  type Recording,
  type RecordRequest,
  recordRead,
} from './record/record-read.ts';
export { type SentByCheck, sentByCheck } from './sent-by-check.ts';
