export { escapeHtml, sendCardPage } from './answers/card-page.ts';
export {
  bodyMustBeJson,
  HttpProblem,
  hiddenMessage,
  isDatabaseAway,
  malformed,
  pageOf,
  pageOrProblem,
  unknownPool,
} from './answers/problems.ts';

export { callerSignal, listen, stopListening, whenAborted } from './app/connections.ts';
export {
  type AppOptions,
  createApp,
  maxBodyBytes,
  nothingHere,
  requireUncompressed,
} from './app/create-app.ts';
export { Faults, type HostApp, MachineRoutes, RequestWatcher, RouteModule } from './app/host-app.ts';
export { type BodySource, createPoolShare, inPool, type Turn } from './app/pool-share.ts';

export {
  findUnstorable,
  parseJson,
  problemDetails,
  readJsonBody,
  requireKnownCharset,
  zodValidatorCompiler,
} from './app/request-data.ts';
export { loggableUrl, poolOfRequest, scrubSecrets } from './app/request-log.ts';
export {
  bearerToken,
  type Caller,
  changeActorOf,
  findPoolsBy,
  inPath,
  isAtLeast,
  isPerson,
  isReading,
  isRole,
  isScope,
  type Person,
  type PoolAccessServices,
  PoolFinder,
  personOf,
  poolsToShow,
  ResourcePools,
  requireOwnPools,
  requirePools,
  seesGuests,
  signingActorOf,
} from './callers/access.ts';
export { cookieName, cookieOptions, readCookies, visitCookieOptions } from './callers/cookies.ts';
export {
  countedAddress,
  createFailureThrottle,
  createRateLimit,
  isBudgeted,
  type RateLimit,
} from './callers/rate-limits.ts';

export { sharedStatuses } from './openapi/components.ts';
export { describeApi } from './openapi/openapi-document.ts';
