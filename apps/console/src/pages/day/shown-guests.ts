/** Which guests of a day are shown, if not all. */
export const shownGuests = ['missing', 'not-arrived', 'flags'] as const;

export type ShownGuests = (typeof shownGuests)[number];
