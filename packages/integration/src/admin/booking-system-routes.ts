import {
  type bookingSystemDetailSchema,
  type bookingSystemItemSchema,
  configureBookingSystem,
  createInstallKey,
  deleteInstallKey,
  listBookingSystems,
  listInstallKeys,
  readBookingSystem,
} from '@waiver-service/api';
import { type BookingSystemPlugin, describeIssue } from '@waiver-service/core';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { HttpProblem, malformed, pageOrProblem, problemDetails } from '@waiver-service/http';
import type { BookingSystemSettings } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { IntegrationSettings, Outbound, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { checkAddress } from './admin-paths.ts';
import { requireConsent, usualAddressOf } from './installation-routes.ts';

type Settings = Readonly<Record<string, unknown>>;

// A name unknown to the plugin is most likely misspelled.
function refuseUnknownNames(plugin: BookingSystemPlugin, given: Settings): void {
  const { properties, additionalProperties } = describedBy(plugin.settingsSchema);
  if (typeof properties !== 'object' || properties === null || additionalProperties) return;
  const known = Object.keys(properties);
  const errors = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `settings.${name}`,
      message: `is not a setting of ${plugin.installName}; there are: ${known.join(', ') || 'none'}`,
    }));
  if (errors.length > 0) throw malformed(errors);
}

/**
 * Applies a change to a booking system's settings: omitted ones are kept, `null` removes one.
 * @throws HttpProblem 400 if the plugin's `settingsSchema` rejects the result
 */
export function changedSettings(
  plugin: BookingSystemPlugin,
  current: Settings,
  given: Settings,
): Record<string, unknown> {
  refuseUnknownNames(plugin, given);
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...given }).filter(([, value]) => value !== null),
  );
  const parsed = plugin.settingsSchema.safeParse(merged, { error: describeIssue });
  if (!parsed.success) throw malformed(problemDetails(parsed.error, 'settings'));
  return merged;
}

function bookingSystemItem(
  plugin: BookingSystemPlugin,
  set: BookingSystemSettings | undefined,
): z.infer<typeof bookingSystemItemSchema> {
  const settingsFit = plugin.settingsSchema.safeParse(set?.settings ?? {}).success;
  const baseUrl = set?.baseUrl ?? null;
  return {
    installName: plugin.installName,
    displayName: plugin.displayName,
    authHeaderName: plugin.contract?.authHeaderName ?? null,
    pathShape: plugin.contract?.pathShape ?? null,
    capabilities: plugin.capabilities,
    tier: plugin.tier ?? 'documents',
    configured: settingsFit && (baseUrl !== null || plugin.url !== undefined),
    authorizedInBrowser: plugin.session?.grant === 'authorization-code',
    baseUrl,
  };
}

function describedBy(schema: z.ZodType): Record<string, unknown> {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

export function bookingSystemDetail(
  plugin: BookingSystemPlugin,
  set: BookingSystemSettings | undefined,
  timeoutMs: number,
): z.infer<typeof bookingSystemDetailSchema> {
  const { contract, writeUnit, accountIdField = null, statusMap, capabilities } = plugin;
  return {
    ...bookingSystemItem(plugin, set),
    guestUpdateAuthHeaderName: contract?.guestUpdateAuthHeaderName ?? null,
    guestId: contract?.guestId ?? null,
    writeUnit,
    settingsSchema: describedBy(plugin.settingsSchema),
    accountSchema: describedBy(plugin.accountSchema),
    accountIdField,
    settingsSet: Object.keys(set?.settings ?? {}).sort(),
    statusMap: { ...statusMap },
    limits: { requestLimits: capabilities.requestLimits ?? null, timeoutMs },
  };
}

@injectable()
export class BookingSystemRoutes implements RouteModule {
  constructor(
    @inject(IntegrationSettings) readonly settings: IntegrationSettings,
    @inject(Store) readonly store: Store,
    @inject(Outbound) readonly outbound: Outbound,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems } = this;
    const { outboundTimeout } = this.settings;

    app.route({
      ...listBookingSystems,
      handler: async () => {
        const set = new Map((await store.bookingSystems.list()).map((one) => [one.installName, one]));
        const items = bookingSystems
          .manifests()
          .map(({ installName }) =>
            bookingSystemItem(bookingSystems.resolve(installName), set.get(installName)),
          );
        return { items };
      },
    });

    app.route({
      ...readBookingSystem,
      handler: async ({ params }) => {
        const plugin = bookingSystems.resolve(params.booking_system);
        const set = await store.bookingSystems.get(plugin.installName);
        return bookingSystemDetail(plugin, set, outboundTimeout);
      },
    });

    app.route({
      ...configureBookingSystem,
      handler: async ({ params, body }) => {
        const plugin = bookingSystems.resolve(params.booking_system);
        const { installName } = plugin;
        const { baseUrl, sendCredentialsTo, settings } = body;
        const former = await store.bookingSystems.get(installName);
        const current = former?.settings ?? {};
        if (baseUrl !== undefined) {
          await checkAddress(this, 'baseUrl', baseUrl);
          const accounts = await store.installations.countAtUsualAddress(installName);
          const from = usualAddressOf(plugin, former);
          if (accounts > 0 || Object.keys(current).length > 0)
            requireConsent({ from, to: baseUrl, sendCredentialsTo, accounts });
        }
        const changed = settings && changedSettings(plugin, current, settings);
        const set = await store.bookingSystems.put(installName, { baseUrl, settings: changed });
        return bookingSystemDetail(plugin, set, outboundTimeout);
      },
    });

    this.addInstallKeys(app);
  }

  /** The global install keys of a booking system (contract 5): several may be valid at once. */
  private addInstallKeys(app: HostApp): void {
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
        return pageOrProblem(store.installKeys.list(installName, query));
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
