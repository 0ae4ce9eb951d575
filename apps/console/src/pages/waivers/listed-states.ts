import { waiverStates } from '../../api/resources.ts';

/** The choices of the list: the states of records, and those that were erased, of which no record is left. */
export const listedStates = [...waiverStates, 'erased'] as const;
export type ListedState = (typeof listedStates)[number];
