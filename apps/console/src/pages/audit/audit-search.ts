import { oneOf, textIn } from '../../shell/search-params.ts';
import { type Period, periods } from '../deliveries/delivery-search.ts';

/** The search parameters of the audit log's page. */
export interface AuditSearch {
  readonly pool?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly period?: Period | undefined;
}

/** Reads the address; what makes no sense in it is left out. */
export const readAuditSearch = (search: Readonly<Record<string, unknown>>): AuditSearch => ({
  pool: textIn(search.pool),
  actor: textIn(search.actor),
  action: textIn(search.action),
  target: textIn(search.target),
  period: oneOf(periods, search.period),
});
