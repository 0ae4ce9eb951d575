import { periods, type WithPeriod } from '../../api/periods.ts';
import type { AuditFilter } from '../../api/resources.ts';
import { oneOf, textIn } from '../../shell/search-params.ts';

export type AuditSearch = WithPeriod<AuditFilter>;

/** Parses the URL's parameters, ignoring invalid ones. */
export const readAuditSearch = (search: Readonly<Record<string, unknown>>): AuditSearch => ({
  pool: textIn(search.pool),
  actor: textIn(search.actor),
  action: textIn(search.action),
  target: textIn(search.target),
  period: oneOf(periods, search.period),
});
