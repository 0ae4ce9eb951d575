import type { BookingSystemAccess } from './booking-system-plugin.ts';
import type { BookingSystemContext } from './context.ts';

/** The address that the vendor should call. It contains a key by which webhooks of this installation are recognized. */
export interface WebhooksToRegister {
  /** The address to call from now on. */
  readonly url: string;
  /**
   * Earlier addresses of this installation, for example under a previous `BASE_URL`: no webhook may still point there.
   */
  readonly formerUrls: readonly string[];
}

/** The addresses at which an installation's webhooks may still be registered. */
export interface WebhooksToUnregister {
  /** Every address ever passed to `register` and not removed since. */
  readonly urls: readonly string[];
}

/**
 * Registers and removes webhooks at the vendor. The host calls these functions at install, after `BASE_URL`, the
 * settings or the vendor's address changed, once a day, and at uninstall; it repeats calls that failed or whose result
 * could not be recorded. They read the vendor's list first, leave other parties' webhooks alone, and change nothing
 * that is already right.
 */
export interface BookingSystemWebhooks<Settings = unknown, Account = unknown> {
  /** Whether an installation's webhooks are registered at all. Default: yes. */
  isUsed?(access: Omit<BookingSystemAccess<Settings, Account>, 'purpose'>): boolean;
  /** Afterwards the vendor calls `url` once about each changed booking, and none of `formerUrls`. */
  register(context: BookingSystemContext<Settings, Account>, webhooks: WebhooksToRegister): Promise<void>;
  /** Afterwards the vendor calls none of the addresses. Also resolves if there is nothing to remove. */
  unregister(context: BookingSystemContext<Settings, Account>, webhooks: WebhooksToUnregister): Promise<void>;
}
