import {
  accountIdSchema,
  type BookingSystemAccess,
  type BookingSystemManifest,
  type BookingSystemPlugin,
  type BookingSystemWebhooks,
  type ContractChoices,
  type FetchedBooking,
  type InboundFunctions,
  type InstalledAccount,
  makeSignable,
  partnerApiKeySchema,
  type Session,
  specificationVersion,
} from '@waiver-service/core';
import { z } from 'zod';
import { judgingContext, rejectNotFound } from './answers.ts';
import { fetchContractBooking, pushContractWaiver } from './contract.ts';
import { completeListing } from './listing.ts';
import { quoted } from './reading/json.ts';
import { redactEchoes, withoutSecrets, withoutSecretsInErrors } from './secrets.ts';

/** The account schema of a system that needs only the contract's two fields (2.7). Additional fields are kept. */
export const installedAccountSchema = z.looseObject({
  accountId: accountIdSchema.describe('Id of the account in the booking system.'),
  apiKey: partnerApiKeySchema,
});

/** The settings schema of a system without settings. */
export const noSettingsSchema = z.object({});
/** See {@link noSettingsSchema}. */
export type NoSettings = z.infer<typeof noSettingsSchema>;

type Capabilities = BookingSystemManifest['capabilities'];
/** Without those that follow from the functions `listBookings` and `checkAccess`; `changesSince` adds a `changes`. */
type ContractCapabilities = Omit<Capabilities, 'lists' | 'checksAccess'>;
/** Without those that follow from `fetchBooking`, `pushWaiver` and `parseInbound`, too. */
type VendorCapabilities = Omit<ContractCapabilities, 'forms' | 'guestUpdate' | 'inbound'>;

/** The part of a definition common to all systems. Types are inferred from the two schemas. */
interface CommonDefinition<S, A extends InstalledAccount>
  extends Pick<
      BookingSystemManifest,
      'installName' | 'displayName' | 'accountIdField' | 'statusMap' | 'tier'
    >,
    Pick<
      Partial<BookingSystemPlugin<NoInfer<S>, NoInfer<A>>>,
      | 'writeUnit'
      | 'url'
      | 'headers'
      | 'authenticate'
      | 'session'
      | 'judgeAnswer'
      | 'listBookings'
      | 'changesSince'
      | 'checkAccess'
      | 'webhooks'
    >,
    InboundFunctions<NoInfer<S>, NoInfer<A>> {
  /** Default: none. */
  readonly settingsSchema?: z.ZodType<S>;
  /** Default: {@link installedAccountSchema}. */
  readonly accountSchema?: z.ZodType<A>;
}

/** A booking system that follows the contract: the choices that the contract leaves to it. */
export interface ContractDefinition<S = NoSettings, A extends InstalledAccount = InstalledAccount>
  extends CommonDefinition<S, A> {
  readonly contract: Pick<ContractChoices, 'pathShape' | 'guestId'> & Partial<ContractChoices>;
  /** Default: both forms, Guest Update and inbound calls of the contract. */
  readonly capabilities?: ContractCapabilities;
  readonly fetchBooking?: never;
  readonly pushWaiver?: never;
}

/** A booking system with another API, called by functions. */
export interface VendorDefinition<S = NoSettings, A extends InstalledAccount = InstalledAccount>
  extends CommonDefinition<S, A>,
    Pick<BookingSystemPlugin<NoInfer<S>, NoInfer<A>>, 'fetchBooking' | 'pushWaiver'> {
  readonly capabilities: VendorCapabilities;
  readonly contract?: never;
}

/** The definition of either kind. */
export type BookingSystemDefinition<S = NoSettings, A extends InstalledAccount = InstalledAccount> =
  | ContractDefinition<S, A>
  | VendorDefinition<S, A>;

const bearer = 'Authorization';

/** Sends a session's access token as a bearer token (RFC 6750). */
const authenticateBySession = ({ session }: { readonly session?: Session | undefined }) =>
  session === undefined ? {} : { headers: { [bearer]: `Bearer ${session.accessToken}` } };

const contractCapabilities: ContractCapabilities = {
  forms: ['current', 'legacy'],
  guestUpdate: true,
  takes: ['waiver'],
  void: true,
  inbound: 'contract',
};

/** Wraps the functions: responses are judged, and errors redacted. */
function guardedWebhooks(
  manifest: Parameters<typeof judgingContext>[0],
  { isUsed, register, unregister }: BookingSystemWebhooks<unknown, InstalledAccount>,
): BookingSystemWebhooks<unknown, InstalledAccount> {
  return {
    ...(isUsed && { isUsed }),
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

/** Warns of an active booking whose `pax` is 0. Without a status group, its status decides, as it does for the host. */
function withPeopleChecked(fetched: FetchedBooking): FetchedBooking {
  const { pax, status, statusGroup } = fetched.booking;
  const isExpected = statusGroup === undefined ? !/cancell?ed/i.test(status) : statusGroup === 'active';
  if (pax > 0 || !isExpected) return fetched;
  const message = `the booking is ${quoted(status)}, but its number of people is 0: nobody is expected`;
  return { ...fetched, warnings: [...fetched.warnings, { code: 'nobody_expected', path: 'pax', message }] };
}

/**
 * Defines the plugin of one booking system: by its choices if it follows the contract (`contract`), otherwise by
 * functions that call the vendor's API (`fetchBooking`, `pushWaiver`).
 */
export function defineBookingSystem<S = NoSettings, A extends InstalledAccount = InstalledAccount>(
  definition: BookingSystemDefinition<S, A>,
): BookingSystemPlugin<S, A>;
export function defineBookingSystem({
  contract: choices,
  settingsSchema = noSettingsSchema,
  accountSchema = installedAccountSchema,
  capabilities: declared,
  // A note is read before it is written.
  writeUnit = declared?.takes.includes('notes') ? 'booking' : 'waiver',
  headers,
  session,
  authenticate = session && authenticateBySession,
  fetchBooking,
  pushWaiver,
  webhooks,
  ...rest
}: BookingSystemDefinition<unknown, InstalledAccount>): BookingSystemPlugin {
  const contract = choices && {
    authHeaderName: session === undefined ? 'api-key' : bearer,
    guestUpdateAuthHeaderName: session === undefined ? 'API-key' : bearer,
    ...choices,
  };
  const vendorCapabilities: ContractCapabilities = {
    forms: ['native'],
    guestUpdate: pushWaiver !== undefined,
    takes: [],
    void: false,
    inbound: rest.parseInbound === undefined ? 'none' : 'native',
  };
  const capabilities: Capabilities = {
    ...(contract ? contractCapabilities : vendorCapabilities),
    ...declared,
    ...(rest.listBookings && { lists: true }),
    ...(rest.changesSince && { changes: declared?.changes ?? {} }),
    ...(rest.checkAccess && { checksAccess: true }),
  };
  const manifest = { ...rest, ...(contract && { contract }), writeUnit, capabilities };
  const contractInfo = contract && { ...manifest, ...contract };
  const read: BookingSystemPlugin['fetchBooking'] | undefined = contractInfo
    ? (context, bookingId) => fetchContractBooking(contractInfo, context, bookingId)
    : fetchBooking;
  if (read === undefined) {
    throw new TypeError(
      `${rest.installName} has neither \`contract\`, for a system that follows the contract, nor \`fetchBooking\`, for another API`,
    );
  }
  const write: BookingSystemPlugin['pushWaiver'] = contractInfo
    ? (context, waiver) => pushContractWaiver(contractInfo, context, waiver)
    : pushWaiver;
  const keyHeader = ({ purpose, account }: BookingSystemAccess<unknown, InstalledAccount>) =>
    contract === undefined || authenticate !== undefined
      ? {}
      : {
          [purpose === 'read' ? contract.authHeaderName : contract.guestUpdateAuthHeaderName]: account.apiKey,
        };
  const plugin: BookingSystemPlugin = {
    specificationVersion,
    settingsSchema,
    accountSchema,
    headers: headers ?? keyHeader,
    ...(session && { session }),
    ...(authenticate && { authenticate }),
    ...manifest,
    ...completeListing(manifest),
    ...(webhooks && { webhooks: guardedWebhooks(manifest, webhooks) }),
    async fetchBooking(given, bookingId) {
      const context = judgingContext(manifest, given, { purpose: 'read', bookingId });
      const fetched = withPeopleChecked(
        await withoutSecrets(context.secrets, () => read(context, bookingId)),
      );
      redactEchoes(fetched.booking, context.secrets);
      const signable = makeSignable(fetched);
      // With aliases, another id is not a deviation.
      if (capabilities.aliases !== true) return signable;
      return { ...signable, warnings: signable.warnings.filter(({ code }) => code !== 'id_differs') };
    },
  };
  if (!capabilities.guestUpdate || write === undefined) return plugin;
  return {
    ...plugin,
    pushWaiver(given, waiver, document) {
      const { bookingId } = waiver;
      const context = judgingContext(manifest, given, { purpose: 'guest-update', bookingId });
      return withoutSecrets(context.secrets, () => write(context, waiver, document)).catch(rejectNotFound);
    },
  };
}
