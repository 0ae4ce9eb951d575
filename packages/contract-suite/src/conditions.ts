import type { BookingSystemPlugin } from '@waiver-service/core';

/** A condition on a plugin's declarations. */
export interface Condition {
  (plugin: BookingSystemPlugin): boolean;
  /** Why a clause does not apply to a plugin that does not meet the condition. */
  reason(plugin: BookingSystemPlugin): string;
}

const when = (reason: string, isMet: (plugin: BookingSystemPlugin) => boolean): Condition =>
  Object.assign((plugin: BookingSystemPlugin) => isMet(plugin), { reason: () => reason });

/** Met if all conditions are; its reason is that of the first which is not. */
export const all = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  Object.assign((plugin: BookingSystemPlugin) => conditions.every((isMet) => isMet(plugin)), {
    reason: (plugin: BookingSystemPlugin) =>
      (conditions.find((isMet) => !isMet(plugin)) ?? conditions[0]).reason(plugin),
  });

export const everyPlugin = when('', () => true);
export const followsContract = when('does not follow the contract', ({ contract }) => contract !== undefined);
export const hasBookingInPath = when(
  'has no booking id in its path',
  ({ contract }) => contract?.pathShape === 'path',
);
export const sendsKeyHeader = when(
  'authenticates each request',
  ({ authenticate }) => authenticate === undefined,
);
export const readsCurrent = when('does not read the form current', ({ capabilities }) =>
  capabilities.forms.includes('current'),
);
export const readsLegacy = when('does not read the form legacy', ({ capabilities }) =>
  capabilities.forms.includes('legacy'),
);
export const readsBoth = all(readsCurrent, readsLegacy);
/** Plugins that read any of the contract's forms. */
export const readsContract = when(
  "reads neither of the contract's forms",
  (plugin) => readsCurrent(plugin) || readsLegacy(plugin),
);
/** Plugins that read a vendor's own form. */
export const readsNative = when('does not read the form native', ({ capabilities }) =>
  capabilities.forms.includes('native'),
);
export const hasStatusMap = when('has no statusMap', ({ statusMap }) => statusMap !== undefined);
/** Plugins that authenticate by more than the contract's key in a header: their tests say what is authentic. */
export const hasCustomAuthentication = when(
  "sends the contract's key",
  (plugin) => plugin.authenticate !== undefined || readsNative(plugin),
);
export const hasSession = when('has no session', ({ session }) => session !== undefined);
export const hasNoSession = when('has a session', ({ session }) => session === undefined);
/** Plugins whose sessions begin with an authorization code. */
export const isAuthorized = when(
  'is not authorized by a person',
  ({ session }) => session?.grant === 'authorization-code',
);
/** Plugins that judge their booking system's responses. */
export const judgesAnswers = when('has no judgeAnswer', ({ judgeAnswer }) => judgeAnswer !== undefined);
/** Plugins that write waivers in any way. */
export const writes = when('does not write waivers', ({ capabilities }) => capabilities.guestUpdate);
/** Plugins that write waivers by the contract's Guest Update. */
export const writesContract = when(
  "does not write the contract's waiver",
  ({ capabilities }) => capabilities.guestUpdate && capabilities.takes.includes('waiver'),
);
/** Plugins that write waivers only by a vendor's own means. */
export const writesNative = when(
  "does not write in a vendor's form",
  (plugin) => writes(plugin) && !writesContract(plugin),
);
export const takesVoids = when('does not take back waivers', ({ capabilities }) => capabilities.void);
/** Plugins that send a waiver's signed document. */
export const takesDocuments = when(
  'takes no files',
  (plugin) => writes(plugin) && plugin.capabilities.takes.includes('files'),
);
/** Plugins that must not write twice to one booking at once. */
export const writesToBookings = when(
  'does not write to whole bookings',
  ({ writeUnit }) => writeUnit === 'booking',
);
export const hasAliases = when('has no aliases', ({ capabilities }) => capabilities.aliases === true);
export const lists = when('does not list bookings', ({ listBookings }) => listBookings !== undefined);
export const listsChanges = when('does not list changes', ({ changesSince }) => changesSince !== undefined);
export const checksAccess = when('does not check accounts', ({ checkAccess }) => checkAccess !== undefined);
/** Plugins that read inbound calls in a vendor's own form. */
export const callsInNativeForm = when(
  'has no native inbound calls',
  ({ capabilities }) => capabilities.inbound === 'native',
);
/** Plugins that verify inbound calls by more than the app pool key. */
export const verifiesCalls = when(
  'has no inboundAuthenticity',
  ({ inboundAuthenticity }) => inboundAuthenticity !== undefined,
);
/** Plugins with one webhook URL for all accounts. */
export const sharesAddress = when(
  'shares no webhook URL',
  ({ capabilities }) => capabilities.inboundAddress === 'shared',
);
export const registersWebhooks = when('registers no webhooks', ({ webhooks }) => webhooks !== undefined);
