/** The options as given on the command line. */
export interface GeneratorOptions {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly authHeaderName?: string | undefined;
  readonly pathShape?: string | undefined;
  readonly forms?: readonly string[] | undefined;
  readonly guestId?: string | undefined;
  readonly native?: boolean | undefined;
  readonly auth?: string | undefined;
  readonly write?: string | undefined;
  readonly with?: readonly string[] | undefined;
  readonly pages?: string | undefined;
  readonly from?: string | undefined;
}

export const contractForms = ['current', 'legacy'] as const;
export const pathShapes = ['path', 'query'] as const;
export const guestIds = ['booking-guest-id', 'waiver-id', 'none'] as const;
/** How a vendor's API authenticates: the key in a header, `Authorization: Token {key}`, or OAuth's client credentials. */
export const nativeAuths = ['header', 'token', 'oauth'] as const;
/** Where a vendor's API takes waivers. */
export const nativeWrites = ['none', 'note', 'field', 'check-in'] as const;
/** What a vendor's API does besides reading and writing. */
export const nativeParts = ['lists', 'changes', 'webhooks'] as const;
/** How a vendor's lists are divided. */
export const nativePages = ['number', 'offset', 'cursor'] as const;
const contractOptions = [
  { option: 'pathShape', flag: '--path-shape' },
  { option: 'forms', flag: '--forms' },
  { option: 'guestId', flag: '--guest-id' },
] as const;
const nativeOptions = [
  { option: 'auth', flag: '--auth' },
  { option: 'write', flag: '--write' },
  { option: 'with', flag: '--with' },
  { option: 'pages', flag: '--pages' },
  { option: 'from', flag: '--from' },
] as const;
const imaginaryOptions = nativeOptions.filter(({ flag }) => ['--write', '--with', '--pages'].includes(flag));

/** Where a plugin is created: among the plugins of the waiver service's own repository, or in a separate one. */
export type PluginHome = 'workspace' | 'repository';

/** The complete choices, with defaults applied. */
export interface PluginChoices {
  readonly name: string;
  readonly displayName: string;
  readonly authHeaderName: string;
  readonly pathShape: (typeof pathShapes)[number];
  readonly forms: readonly (typeof contractForms)[number][];
  readonly guestId: (typeof guestIds)[number];
  readonly native: boolean;
  readonly auth: (typeof nativeAuths)[number];
  readonly write: (typeof nativeWrites)[number];
  readonly with: readonly (typeof nativeParts)[number][];
  readonly pages: (typeof nativePages)[number];
  /** The file of a recorded response, from which the plugin is begun; without it, it reads an imaginary API. */
  readonly from: string | undefined;
}

/** Invalid options. The message says what to change. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

/** A copy of core's: this package has no dependencies. A test compares the two. */
export const installNamePattern = /^[a-z][a-z0-9-]{1,62}$/;
const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Letters of any script, but nothing that would end a comment, a line or a heading.
const displayNamePattern = /^[^\p{Cc}\p{Cs}*`<>|]+$/u;

/** The display name of a plugin that is given none. */
export function titleOf(name: string): string {
  const words = name.split('-').filter((word) => word !== '');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ');
}

function oneOf<Choice extends string>(option: string, given: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((one) => one === given);
  if (choice !== undefined) return choice;
  throw new OptionsError(`--${option} is ${JSON.stringify(given)}: give ${choices.join(' or ')}.`);
}

function readForms(forms: readonly string[]): PluginChoices['forms'] {
  const unknown = forms.find((form) => contractForms.every((known) => known !== form));
  if (unknown !== undefined) {
    throw new OptionsError(
      `--forms has ${JSON.stringify(unknown)}: it is current, legacy, or current,legacy (--native for another API).`,
    );
  }
  if (forms.length === 0)
    throw new OptionsError('--forms is empty: give current, legacy, or current,legacy.');
  return contractForms.filter((form) => forms.includes(form));
}

function readParts(parts: readonly string[]): PluginChoices['with'] {
  const unknown = parts.find((part) => nativeParts.every((known) => known !== part));
  if (unknown !== undefined) {
    throw new OptionsError(
      `--with has ${JSON.stringify(unknown)}: give one or more of ${nativeParts.join(', ')}, separated by commas.`,
    );
  }
  return nativeParts.filter((part) => parts.includes(part));
}

/** Refuses options of the other kind of plugin. */
function requireOwnOptions(options: GeneratorOptions): void {
  const others = options.native ? contractOptions : nativeOptions;
  const given = others.filter(({ option }) => options[option] !== undefined).map(({ flag }) => flag);
  if (given.length === 0) return;
  const flags = given.join(' and ');
  throw new OptionsError(
    options.native
      ? `--native is for an API that does not follow the contract: leave out ${flags}.`
      : `${flags}: for an API that does not follow the contract, give --native, too.`,
  );
}

/**
 * Validates the options and applies the defaults.
 * @param taken - names of existing packages, which must be unique because they name the test projects
 * @throws Error whose message says what to change
 */
export function resolveOptions(options: GeneratorOptions, taken: ReadonlySet<string>): PluginChoices {
  const { name, displayName = titleOf(name), authHeaderName = 'api-key', native = false } = options;
  if (!installNamePattern.test(name)) {
    throw new OptionsError(
      `${JSON.stringify(name)} is no install name: give 2 to 63 lower-case letters, digits and hyphens, a letter first.`,
    );
  }
  if (name === 'kit') {
    throw new OptionsError(
      '@waiver-service/plugin-kit is what plugins are written with: give another name than kit.',
    );
  }
  if (taken.has(name)) {
    throw new OptionsError(`A package goes by the name ${name} already: give another, or extend that one.`);
  }
  // The manifest's limit counts UTF-16 units.
  if (displayName.trim() === '' || displayName.length > 100 || !displayNamePattern.test(displayName)) {
    throw new OptionsError(
      '--display-name must be 1 to 100 characters (an emoji is two or more) on one line, without * ` < > and |.',
    );
  }
  if (!headerNamePattern.test(authHeaderName)) {
    throw new OptionsError(
      `--auth-header-name is ${JSON.stringify(authHeaderName)}, which is no name of an HTTP header.`,
    );
  }
  requireOwnOptions(options);
  const imaginary = imaginaryOptions.filter(({ option }) => options[option] !== undefined);
  if (options.from !== undefined && imaginary.length > 0) {
    const flags = imaginary.map(({ flag }) => flag).join(' and ');
    throw new OptionsError(`--from begins with what was recorded, which is only read: leave out ${flags}.`);
  }
  const auth = oneOf('auth', options.auth ?? 'header', nativeAuths);
  if (auth !== 'header' && options.authHeaderName !== undefined) {
    throw new OptionsError(`--auth ${auth} sends the header Authorization: leave out --auth-header-name.`);
  }
  const parts = readParts(options.with ?? []);
  if (options.pages !== undefined && !parts.includes('lists') && !parts.includes('changes')) {
    throw new OptionsError('--pages says how lists are divided: give --with lists, or changes, too.');
  }
  return {
    name,
    displayName,
    authHeaderName,
    native,
    auth,
    write: oneOf('write', options.write ?? 'none', nativeWrites),
    with: parts,
    pages: oneOf('pages', options.pages ?? 'number', nativePages),
    from: options.from,
    pathShape: oneOf('path-shape', options.pathShape ?? 'path', pathShapes),
    forms: readForms(options.forms ?? contractForms),
    guestId: oneOf('guest-id', options.guestId ?? (native ? 'none' : 'booking-guest-id'), guestIds),
  };
}
