/** Which guests of a day are shown, if not all. */
export const shownGuests = ['missing', 'not-arrived', 'flags'] as const;

/** One of {@link shownGuests}. */
export type ShownGuests = (typeof shownGuests)[number];
