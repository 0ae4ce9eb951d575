/**
 * Why an id cannot stand in a URL; `undefined` where it can. A URL parser takes `.` and `..` out of a path even
 * percent-encoded, an empty id would ask for something else, and half a surrogate pair has no UTF-8 form.
 */
export function refusalOfId(id: string): string | undefined {
  if (id === '') return 'it is empty';
  if (id === '.' || id === '..') return 'a URL cannot carry it';
  return id.isWellFormed() ? undefined : 'it has half a surrogate pair';
}
