import {
  accountIdSchema,
  type BookingSystemAccess,
  type BookingSystemManifest,
  type BookingSystemPlugin,
  type BookingSystemWebhooks,
  type InboundFunctions,
  type InstalledAccount,
  partnerApiKeySchema,
  type Session,
  specificationVersion,
} from '@waiver-service/core';
import { z } from 'zod';
import { judgingContext } from './answers/judging-context.ts';
import { completeListing } from './listing/complete-listing.ts';
import { fetchContractBooking } from './reading/fetch-contract-booking.ts';
import { redactEchoes, withoutSecrets, withoutSecretsInErrors } from './without-secrets.ts';
import { pushContractWaiver } from './writing/push-contract-waiver.ts';

/** The account of a system that needs only the contract's two fields (2.7). Additional fields are kept. */
export const installedAccountSchema = z.looseObject({
  accountId: accountIdSchema.describe('Id of the account in the booking system.'),
  apiKey: partnerApiKeySchema,
});

/** The settings of a system that has none. */
export const noSettingsSchema = z.object({});
/** See {@link noSettingsSchema}. */
export type NoSettings = z.infer<typeof noSettingsSchema>;

type Defaulted = 'authHeaderName' | 'guestUpdateAuthHeaderName' | 'writeUnit' | 'capabilities';

/** Overrides for a vendor whose API differs from the contract. */
interface VendorFunctions<S, A extends InstalledAccount>
  extends Pick<
      Partial<BookingSystemPlugin<S, A>>,
      | 'authenticate'
      | 'session'
      | 'judgeAnswer'
      | 'fetchBooking'
      | 'pushWaiver'
      | 'listBookings'
      | 'changesSince'
      | 'checkAccess'
      | 'webhooks'
    >,
    // Most of them need neither settings nor account, and must not say what these are.
    InboundFunctions<NoInfer<S>, NoInfer<A>> {
  /** The vendor's public address, used unless the operator sets a `baseUrl`. */
  url?(access: BookingSystemAccess<S, A>): string | undefined;
  /**
   * The headers of every request of an installation, computed once. By default the API key in the declared header; with
   * `authenticate` or `session`, none.
   */
  headers?(access: BookingSystemAccess<S, A>): Readonly<Record<string, string>>;
}

/** The manifest of a booking system, and functions only where its API differs from the contract. */
export interface ContractBookingSystemDefinition<
  S = NoSettings,
  A extends InstalledAccount = InstalledAccount,
> extends Omit<BookingSystemManifest, 'specificationVersion' | Defaulted>,
    Partial<Pick<BookingSystemManifest, Defaulted>>,
    VendorFunctions<S, A> {}

/** The definition of a booking system with its own settings or account fields. */
export interface BookingSystemDefinition<S, A extends InstalledAccount>
  extends ContractBookingSystemDefinition<S, A> {
  readonly settingsSchema: z.ZodType<S>;
  readonly accountSchema: z.ZodType<A>;
}

const bearer = 'Authorization';

/** Sends a session's access token as RFC 6750 says. */
const authenticateBySession = ({ session }: { readonly session?: Session | undefined }) =>
  session === undefined ? {} : { headers: { [bearer]: `Bearer ${session.accessToken}` } };

const contractCapabilities: BookingSystemManifest['capabilities'] = {
  forms: ['current', 'legacy'],
  guestUpdate: true,
  takes: ['waiver'],
  void: true,
  inbound: 'contract',
};

function complete<S, A extends InstalledAccount>(
  definition: BookingSystemDefinition<S, A>,
): BookingSystemPlugin<S, A> {
  const {
    authHeaderName = definition.session === undefined ? 'api-key' : bearer,
    guestUpdateAuthHeaderName = definition.session === undefined ? 'API-key' : bearer,
    writeUnit = 'waiver',
    capabilities = contractCapabilities,
    url,
    headers,
    authenticate = definition.session === undefined ? undefined : authenticateBySession,
    ...rest
  } = definition;
  const keyHeader = ({ purpose, account }: BookingSystemAccess<S, A>) => ({
    [purpose === 'read' ? authHeaderName : guestUpdateAuthHeaderName]: account.apiKey,
  });
  const authHeaders = headers ?? (authenticate === undefined ? keyHeader : () => ({}));
  const manifest = { ...rest, authHeaderName, guestUpdateAuthHeaderName, writeUnit, capabilities };
  const { fetchBooking, pushWaiver, webhooks } = rest;
  const plugin: BookingSystemPlugin<S, A> = {
    specificationVersion,
    authHeaders,
    ...(authenticate === undefined ? {} : { authenticate }),
    ...manifest,
    ...(url === undefined ? {} : { defaultBaseUrl: url }),
    ...completeListing(manifest),
    ...(webhooks === undefined ? {} : { webhooks: guardedWebhooks(manifest, webhooks) }),
    async fetchBooking(given, bookingId) {
      const context = judgingContext(manifest, given, { purpose: 'read', bookingId });
      const fetched = await withoutSecrets(
        context.secrets,
        () => fetchBooking?.(context, bookingId) ?? fetchContractBooking(manifest, context, bookingId),
      );
      redactEchoes(fetched.booking, context.secrets);
      // An alias is no deviation.
      if (capabilities.aliases !== true) return fetched;
      return { ...fetched, warnings: fetched.warnings.filter(({ code }) => code !== 'id_differs') };
    },
  };
  if (!capabilities.guestUpdate) return plugin;
  return {
    ...plugin,
    pushWaiver(given, waiver) {
      const { bookingId } = waiver;
      const context = judgingContext(manifest, given, { purpose: 'guest-update', bookingId });
      return withoutSecrets(
        context.secrets,
        () => pushWaiver?.(context, waiver) ?? pushContractWaiver(manifest, context, waiver),
      );
    },
  };
}

/** The same functions, with answers judged and secrets kept out of errors. */
function guardedWebhooks<S, A>(
  manifest: Parameters<typeof judgingContext>[0],
  { isUsed, register, unregister }: BookingSystemWebhooks<S, A>,
): BookingSystemWebhooks<S, A> {
  return {
    ...(isUsed === undefined ? {} : { isUsed }),
    register: (given, webhooks) =>
      withoutSecretsInErrors(given.secrets, () =>
        register(judgingContext(manifest, given, undefined), webhooks),
      ),
    unregister: (given, webhooks) =>
      withoutSecretsInErrors(given.secrets, () =>
        unregister(judgingContext(manifest, given, undefined), webhooks),
      ),
  };
}

/**
 * Defines the plugin of one booking system. The defaults follow the contract: the API key in the declared header, both
 * booking forms, Guest Update.
 */
export function defineBookingSystem<S, A extends InstalledAccount>(
  definition: BookingSystemDefinition<S, A>,
): BookingSystemPlugin<S, A>;
export function defineBookingSystem(
  definition: ContractBookingSystemDefinition,
): BookingSystemPlugin<NoSettings, InstalledAccount>;
export function defineBookingSystem<S, A extends InstalledAccount>(
  definition: BookingSystemDefinition<S, A> | ContractBookingSystemDefinition,
): BookingSystemPlugin<S, A> | BookingSystemPlugin<NoSettings, InstalledAccount> {
  return 'settingsSchema' in definition
    ? complete(definition)
    : complete({ ...definition, settingsSchema: noSettingsSchema, accountSchema: installedAccountSchema });
}
