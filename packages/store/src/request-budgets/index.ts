export { createRequestBudgets, type RequestBudgets } from './request-budgets.ts';
export { setRequestLimits } from './set-request-limits.ts';
export type { RequestsWanted, TakenRequests, UnusedRequests } from './take-requests.ts';
