export { createRequestBudgets, type RequestBudgets } from './request-budgets.ts';
export { setRequestLimits } from './set-request-limits.ts';
export type { BudgetRequest, TakenRequests, UnusedRequests } from './take-requests.ts';
