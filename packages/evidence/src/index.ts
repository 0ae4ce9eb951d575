export { canonicalText } from './canonical-text.ts';
export { firstHead, type Head, type HeadSignature, nextHead, publicKeyText, signHead } from './chain.ts';
export { type PathStep, pathTo, rootOf } from './day-root.ts';
export type {
  ChainEntry,
  EvidenceFile,
  EvidenceRecord,
  EvidenceStamp,
} from './evidence-file.ts';
export { evidenceFormat } from './hash.ts';
export type {
  ConfirmerEntry,
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
} from './parts.ts';
export {
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
