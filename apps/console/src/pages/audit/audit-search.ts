import { periods } from '../../api/periods.ts';
import { oneOf, searchOf, textIn } from '../../shell/search-params.ts';

export const readAuditSearch = searchOf({
  pool: textIn,
  actor: textIn,
  action: textIn,
  target: textIn,
  period: (value) => oneOf(periods, value),
});

export type AuditSearch = ReturnType<typeof readAuditSearch>;
