import type { BookingSystemPlugin } from '@waiver-service/core';

/** Plugins of booking systems that follow the contract. */
export const followsContract = ({ contract }: BookingSystemPlugin) => contract !== undefined;
/** Plugins that read the contract's current form. */
export const readsCurrent = ({ capabilities }: BookingSystemPlugin) => capabilities.forms.includes('current');
/** Plugins that read the contract's legacy form. */
export const readsLegacy = ({ capabilities }: BookingSystemPlugin) => capabilities.forms.includes('legacy');
/** Plugins that read both of the contract's forms. */
export const readsBoth = (plugin: BookingSystemPlugin) => readsCurrent(plugin) && readsLegacy(plugin);
/** Plugins that read any of the contract's forms. */
export const readsContract = (plugin: BookingSystemPlugin) => readsCurrent(plugin) || readsLegacy(plugin);
/** Plugins that read a vendor's own form. */
export const readsNative = ({ capabilities }: BookingSystemPlugin) => capabilities.forms.includes('native');
/** Plugins whose requests carry more than the contract's key in a header: the plugin's test says what is authentic. */
export const authenticatesItsOwnWay = (plugin: BookingSystemPlugin) =>
  plugin.authenticate !== undefined || readsNative(plugin);
/** Plugins whose booking system issues tokens. */
export const hasSession = ({ session }: BookingSystemPlugin) => session !== undefined;
/** Plugins whose sessions begin with an authorization code. */
export const isAuthorized = ({ session }: BookingSystemPlugin) => session?.grant === 'authorization-code';
/** Plugins that say what their booking system's answers mean. */
export const judgesAnswers = ({ judgeAnswer }: BookingSystemPlugin) => judgeAnswer !== undefined;
/** Plugins that write waivers in any way. */
export const writes = ({ capabilities }: BookingSystemPlugin) => capabilities.guestUpdate;
/** Plugins that write waivers by the contract's Guest Update. */
export const writesContract = ({ capabilities }: BookingSystemPlugin) =>
  capabilities.guestUpdate && capabilities.takes.includes('waiver');
/** Plugins that write waivers by a vendor's own means only. */
export const writesNative = (plugin: BookingSystemPlugin) => writes(plugin) && !writesContract(plugin);
/** Plugins that send the signed document of a waiver. */
export const takesDocuments = (plugin: BookingSystemPlugin) =>
  writes(plugin) && plugin.capabilities.takes.includes('files');
/** Plugins that read inbound calls in a vendor's own form. */
export const callsInNativeForm = ({ capabilities }: BookingSystemPlugin) => capabilities.inbound === 'native';
/** Plugins that verify inbound calls by more than the app pool key. */
export const verifiesCalls = ({ inboundAuthenticity }: BookingSystemPlugin) =>
  inboundAuthenticity !== undefined;
/** Plugins whose inbound calls come to one address for all accounts. */
export const sharesAddress = ({ capabilities }: BookingSystemPlugin) =>
  capabilities.inboundAddress === 'shared';
/** Plugins that register the vendor's webhooks. */
export const registersWebhooks = ({ webhooks }: BookingSystemPlugin) => webhooks !== undefined;
