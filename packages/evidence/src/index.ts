export {
  firstHead,
  type Head,
  type HeadSignature,
  nextHead,
  type PathStep,
  pathTo,
  publicKeyText,
  rootOf,
  signHead,
} from './chain.ts';
export type {
  ChainEntry,
  ConfirmerEntry,
  EvidenceFile,
  EvidenceRecord,
  EvidenceStamp,
  GuestEntry,
  InkEntry,
  LaterCore,
  ReuseCore,
  ReuseGuestEntry,
  ReuseRecord,
  RevealingEntry,
  SealedAct,
  SignerEntry,
  SigningCore,
  SigningRecord,
  SigningTrace,
} from './evidence-file.ts';
export {
  canonicalText,
  evidenceFormat,
  type PartName,
  partNames,
  type SaltedEntry,
  type SealedPart,
  type SealedRecord,
  saltedEntry,
  sealRecord,
} from './seal.ts';

export {
  readTimestamp,
  type Timestamp,
  TimestampError,
  timestampRequest,
} from './timestamp.ts';
export { type Finding, type FindingStatus, verifyEvidence } from './verify.ts';
