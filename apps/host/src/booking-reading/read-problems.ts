/** The refusals of routes that read from a booking system, by status. */
export const readProblems = {
  409: 'Several booking systems are installed and none is named, or the booking system is not configured; `code` says which.',
  424: 'No booking system is installed for the pool, or it waits for approval.',
  502: 'The booking system refused its key, failed, or answered something that is not a booking; `code` says which.',
  503: 'The booking system asks for fewer requests, or the database is temporarily unavailable. See Retry-After.',
  504: 'The booking system did not respond in time.',
} as const;
