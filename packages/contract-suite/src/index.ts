export type { ClauseMeta, RanScenario } from './evidence.ts';
export { noticeOf } from './kit/inbound-call.ts';
export type {
  NativeAnswer,
  NativeBody,
  NativeCall,
  NativeExchange,
  NativeGuestUpdate,
  NativeInbound,
  NativeRefusal,
  NativeRequest,
  NativeScenarios,
} from './native/native-scenarios.ts';
export type {
  ContractSuiteOptions,
  IsAuthentic,
  JudgedAnswer,
  KnownAccess,
  TokenScenario,
  VendorSignature,
} from './options.ts';
export { runContractSuite } from './run-contract-suite.ts';
