import { ContainerModule } from 'inversify';
import { createRequestAudit } from '../audit/audit-requests.ts';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { createAdminSeal } from './admin-seal.ts';
import { createCallerIdentification } from './identify-callers.ts';

export const authenticationModule = new ContainerModule(({ bind }) => {
  bind(tokens.adminSeal).toResolvedValue(
    ...using(['adminToken'], ({ adminToken }) => createAdminSeal(adminToken)),
  );
  bind(tokens.audit).toResolvedValue(...using(['store'], createRequestAudit));
  bind(tokens.identification).toResolvedValue(
    ...using(
      ['store', 'adminToken', 'adminSeal', 'settings', 'baseUrl', 'audit'],
      createCallerIdentification,
    ),
  );
});
