export { parseRecording, type Recording, readRecording, replayUses } from '@waiver-service/contract-check';
export { type ConnectedPlugin, type Connection, connect } from './connect.ts';
export type { ClauseMeta, RanScenario } from './evidence.ts';
export {
  formerWebhookUrl,
  type KnownAccess,
  type NativeAnswer,
  type NativeBody,
  type NativeCall,
  type NativeChanges,
  type NativeExchange,
  type NativeGuestUpdate,
  type NativeInbound,
  type NativeList,
  type NativeListed,
  type NativeListPage,
  type NativeRefusal,
  type NativeRequest,
  type NativeScenarios,
  type NativeWebhooks,
  type SimulatedChanges,
  type SimulatedGuestUpdate,
  type SimulatedList,
  type SimulatedRequest,
  type SimulatedVendor,
  type SimulatedWebhooks,
  type StartVendor,
  webhookUrl,
} from './native/native-scenarios.ts';
export {
  type ContractSuiteOptions,
  type IsAuthentic,
  type JudgedAnswer,
  noticeOf,
  type TokenScenario,
  type VendorSignature,
} from './options.ts';
export { runContractSuite } from './run-contract-suite.ts';
