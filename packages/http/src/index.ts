export { escapeHtml, sendCardPage } from './answers/card-page.ts';
export { HttpProblem, hiddenMessage, malformed, unknownPool } from './answers/http-problem.ts';
export { pageOf, pageOrProblem } from './answers/pages.ts';
export { bodyMustBeJson, isDatabaseAway } from './answers/problem-answers.ts';
export { callerSignal, whenAborted } from './app/aborted-requests.ts';
export { createRateLimit, isBudgeted, type RateLimit } from './app/address-budget.ts';
export { type AppOptions, createApp, maxBodyBytes, requireUncompressed } from './app/create-app.ts';
export { Faults } from './app/faults.ts';
export { type HostApp, MachineRoutes, RouteModule } from './app/host-app.ts';
export { findUnstorable, parseJson, readJsonBody, requireKnownCharset } from './app/json-body.ts';
export { listen, stopListening } from './app/listening.ts';
export { type BodySource, createPoolShare, inPool, type Turn } from './app/pool-share.ts';
export { loggableUrl, poolOfRequest } from './app/request-log.ts';
export { RequestWatcher } from './app/request-watcher.ts';
export { scrubSecrets } from './app/secret-scrubbing.ts';
export { nothingHere } from './app/unknown-addresses.ts';
export { problemDetails, zodValidatorCompiler } from './app/validation.ts';
export {
  bearerToken,
  type Caller,
  changeActorOf,
  isAtLeast,
  isPerson,
  type Person,
  personOf,
  seesGuests,
  signingActorOf,
} from './callers/caller.ts';
export { cookieName, cookieOptions, readCookies, visitCookieOptions } from './callers/cookies.ts';
export { countedAddress, createFailureThrottle } from './callers/failure-throttle.ts';
export {
  findPoolsBy,
  inPath,
  type PoolAccessServices,
  PoolFinder,
  poolsToShow,
  ResourcePools,
  requireOwnPools,
  requirePools,
} from './callers/pool-access.ts';
export { isReading, isRole, isScope } from './callers/route-access.ts';
export { sharedStatuses } from './openapi/common-answers.ts';
export { describeApi } from './openapi/openapi-document.ts';
