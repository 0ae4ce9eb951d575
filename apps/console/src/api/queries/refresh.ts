/** Milliseconds after which what is shown is read again, while the page is visible. */
export const refreshMs = 10_000;

/** The same for the day board, which staff watch while guests arrive. */
export const boardRefreshMs = 3_000;
