export type {
  NativeAnswer,
  NativeBody,
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
} from './options.ts';
export { runContractSuite } from './run-contract-suite.ts';
