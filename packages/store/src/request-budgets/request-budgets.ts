import type { StoreContext } from '../store-context.ts';
import { type BudgetRequest, type TakenRequests, takeRequests } from './take-requests.ts';

/** The requests that may be made to booking systems that limit them. */
export interface RequestBudgets {
  /** See {@link takeRequests}. */
  take(wanted: BudgetRequest): Promise<TakenRequests | undefined>;
}

/** Makes the part of the store that counts requests. */
export const createRequestBudgets = ({ database }: StoreContext): RequestBudgets => ({
  take: (wanted) => takeRequests(database, wanted),
});
