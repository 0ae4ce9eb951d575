// The clock of a team's tablet may be a day off, and its board would be that of another day. Each answer tells the
// service's time; the difference is kept while the page is open.
let aheadMs = 0;

/** The header has whole seconds, and answers take time: by less, the device's clock is as good. */
const maxDoubtMs = 60_000;

/** Compares the device's clock with the service's, by an answer. */
export function compareClocks({ headers }: Response): void {
  const at = Date.parse(headers.get('date') ?? '');
  // A proxy's page says nothing of the service.
  if (Number.isNaN(at) || !headers.get('content-type')?.startsWith('application/json')) return;
  const differenceMs = Date.now() - at;
  aheadMs = Math.abs(differenceMs) < maxDoubtMs ? 0 : differenceMs;
}

/** The service's time; the device's until there was an answer. */
export const serviceNow = (): Date => new Date(Date.now() - aheadMs);
