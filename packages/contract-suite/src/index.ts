export type { ClauseMeta, RanScenario } from './evidence.ts';
export { noticeOf } from './kit/inbound-call.ts';
export type {
  NativeAnswer,
  NativeBody,
  NativeCall,
  NativeChanges,
  NativeExchange,
  NativeGuestUpdate,
  NativeInbound,
  NativeList,
  NativeListed,
  NativeListPage,
  NativeRefusal,
  NativeRequest,
  NativeScenarios,
  NativeWebhooks,
} from './native/native-scenarios.ts';
export { formerWebhookUrl, webhookUrl } from './native/native-scenarios.ts';
export type {
  ContractSuiteOptions,
  IsAuthentic,
  JudgedAnswer,
  KnownAccess,
  TokenScenario,
  VendorSignature,
} from './options.ts';
export { runContractSuite } from './run-contract-suite.ts';
