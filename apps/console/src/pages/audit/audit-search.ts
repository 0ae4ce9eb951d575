import type { AuditFilter } from '../../api/resources.ts';
import { oneOf, textIn } from '../../shell/search-params.ts';
import { type Period, periods } from '../deliveries/delivery-search.ts';

export interface AuditSearch extends Omit<AuditFilter, 'since' | 'until'> {
  readonly period?: Period | undefined;
}

/** Parses the URL's parameters, ignoring invalid ones. */
export const readAuditSearch = (search: Readonly<Record<string, unknown>>): AuditSearch => ({
  pool: textIn(search.pool),
  actor: textIn(search.actor),
  action: textIn(search.action),
  target: textIn(search.target),
  period: oneOf(periods, search.period),
});
