import { ContainerModule } from 'inversify';
import { RequestAudit } from '../audit/audit-requests.ts';
import { AdminSeal, CallerIdentification } from './identify-callers.ts';

export const authenticationModule = new ContainerModule(({ bind }) => {
  bind(AdminSeal).toSelf();
  bind(RequestAudit).toSelf();
  bind(CallerIdentification).toSelf();
});
