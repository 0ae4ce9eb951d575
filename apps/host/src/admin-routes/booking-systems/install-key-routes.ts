import { createInstallKey, deleteInstallKey, listInstallKeys } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';
import { keyItem } from '../key-item.ts';

/** The global install keys of a booking system (contract 5): several may be valid at once. */
@injectable()
export class InstallKeyRoutes implements RouteModule {
  constructor(
    @inject(Store) private readonly store: Store,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems } = this;

    app.route({
      ...createInstallKey,
      handler: async ({ params }, reply) => {
        const { installName } = bookingSystems.resolve(params.booking_system);
        return reply.code(201).send(await store.installKeys.create(installName));
      },
    });

    app.route({
      ...listInstallKeys,
      handler: async ({ params, query }) => {
        const { installName } = bookingSystems.resolve(params.booking_system);
        return pageOf(store.installKeys.list(installName, query), keyItem);
      },
    });

    app.route({
      ...deleteInstallKey,
      handler: async ({ params }, reply) => {
        const { installName } = bookingSystems.resolve(params.booking_system);
        if (await store.installKeys.remove(installName, params.id)) return reply.code(204).send(null);
        throw new HttpProblem(
          404,
          'install_key_not_found',
          `${installName} has no install key with this id.`,
        );
      },
    });
  }
}
