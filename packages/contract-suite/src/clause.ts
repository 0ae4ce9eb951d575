import type { BookingSystemPlugin } from '@waiver-service/core';
import type { ClauseKit } from './kit/clause-kit.ts';

export const followsContract = ({ contract }: BookingSystemPlugin) => contract !== undefined;
export const readsCurrent = ({ capabilities }: BookingSystemPlugin) => capabilities.forms.includes('current');
export const readsLegacy = ({ capabilities }: BookingSystemPlugin) => capabilities.forms.includes('legacy');
export const readsBoth = (plugin: BookingSystemPlugin) => readsCurrent(plugin) && readsLegacy(plugin);
/** Plugins that read any of the contract's forms. */
export const readsContract = (plugin: BookingSystemPlugin) => readsCurrent(plugin) || readsLegacy(plugin);
/** Plugins that read a vendor's own form. */
export const readsNative = ({ capabilities }: BookingSystemPlugin) => capabilities.forms.includes('native');
/** Plugins that authenticate by more than the contract's key in a header: their tests say what is authentic. */
export const hasCustomAuthentication = (plugin: BookingSystemPlugin) =>
  plugin.authenticate !== undefined || readsNative(plugin);
export const hasSession = ({ session }: BookingSystemPlugin) => session !== undefined;
/** Plugins whose sessions begin with an authorization code. */
export const isAuthorized = ({ session }: BookingSystemPlugin) => session?.grant === 'authorization-code';
/** Plugins that judge their booking system's responses. */
export const judgesAnswers = ({ judgeAnswer }: BookingSystemPlugin) => judgeAnswer !== undefined;
/** Plugins that write waivers in any way. */
export const writes = ({ capabilities }: BookingSystemPlugin) => capabilities.guestUpdate;
/** Plugins that write waivers by the contract's Guest Update. */
export const writesContract = ({ capabilities }: BookingSystemPlugin) =>
  capabilities.guestUpdate && capabilities.takes.includes('waiver');
/** Plugins that write waivers only by a vendor's own means. */
export const writesNative = (plugin: BookingSystemPlugin) => writes(plugin) && !writesContract(plugin);
/** Plugins that send a waiver's signed document. */
export const takesDocuments = (plugin: BookingSystemPlugin) =>
  writes(plugin) && plugin.capabilities.takes.includes('files');
/** Plugins that read inbound calls in a vendor's own form. */
export const callsInNativeForm = ({ capabilities }: BookingSystemPlugin) => capabilities.inbound === 'native';
/** Plugins that verify inbound calls by more than the app pool key. */
export const verifiesCalls = ({ inboundAuthenticity }: BookingSystemPlugin) =>
  inboundAuthenticity !== undefined;
/** Plugins with one webhook URL for all accounts. */
export const sharesAddress = ({ capabilities }: BookingSystemPlugin) =>
  capabilities.inboundAddress === 'shared';
export const registersWebhooks = ({ webhooks }: BookingSystemPlugin) => webhooks !== undefined;

/** A requirement on every plugin, and its test. */
export interface Clause {
  /** Theme and name, such as `read/auth-header`. */
  readonly id: string;
  /** Its source: a section of the contract, or a page of this repository. */
  readonly section: string;
  /** The requirement, as a user would notice it. */
  readonly title: string;
  /** Whether the clause applies to a plugin, decided only by the plugin's declarations. Default: always. */
  readonly appliesTo?: (plugin: BookingSystemPlugin) => boolean;
  /** Throws or rejects if the plugin violates the clause. */
  readonly run: (kit: ClauseKit) => Promise<void> | void;
}
