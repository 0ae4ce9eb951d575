import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { changeWaiverRoute } from './change-waiver-route.ts';
import { createWaiverRoute } from './create-waiver-route.ts';
import { listChangesRoute } from './list-changes-route.ts';
import { listWaiversRoute } from './list-waivers-route.ts';
import { readWaiverRoute } from './read-waiver-route.ts';
import { voidWaiverRoute } from './void-waiver-route.ts';

export const waiverRoutesModule = new ContainerModule(({ bind }) => {
  for (const addRoutes of [
    createWaiverRoute,
    listWaiversRoute,
    listChangesRoute,
    readWaiverRoute,
    changeWaiverRoute,
    voidWaiverRoute,
  ])
    bind(tokens.routes).toConstantValue(addRoutes);
});
