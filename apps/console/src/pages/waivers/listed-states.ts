import { waiverStates } from '../../api/resources.ts';

/** The list's filters: the states of records, and `erased`, for waivers of which no record is left. */
export const listedStates = [...waiverStates, 'erased'] as const;
export type ListedState = (typeof listedStates)[number];
