/** The pool that calls are made for where a clause is not about pools. */
export const usualPool = 'pool-1';
