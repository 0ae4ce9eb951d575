/** The options as given on the command line. */
export interface GeneratorOptions {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly authHeaderName?: string | undefined;
  readonly pathShape?: string | undefined;
  readonly forms?: readonly string[] | undefined;
  readonly guestId?: string | undefined;
  readonly native?: boolean | undefined;
  readonly with?: readonly string[] | undefined;
}

const contractForms = ['current', 'legacy'] as const;
const pathShapes = ['path', 'query'] as const;
const guestIds = ['booking-guest-id', 'waiver-id', 'none'] as const;
/** The abilities of a vendor's API besides reading. */
const nativeParts = ['note', 'lists', 'webhooks'] as const;
const contractOptions = [
  { option: 'pathShape', flag: '--path-shape' },
  { option: 'forms', flag: '--forms' },
  { option: 'guestId', flag: '--guest-id' },
] as const;

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
  /** Only with `native`. */
  readonly with: readonly (typeof nativeParts)[number][];
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

function titleOf(name: string): string {
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
  const beside = contractOptions.filter(({ option }) => options[option] !== undefined);
  if (native && beside.length > 0) {
    const given = beside.map(({ flag }) => flag).join(' and ');
    throw new OptionsError(`--native is for an API that does not follow the contract: leave out ${given}.`);
  }
  if (!native && options.with !== undefined) {
    throw new OptionsError('--with is for an API that does not follow the contract: give --native, too.');
  }
  return {
    name,
    displayName,
    authHeaderName,
    native,
    with: readParts(options.with ?? []),
    pathShape: oneOf('path-shape', options.pathShape ?? 'path', pathShapes),
    forms: readForms(options.forms ?? contractForms),
    guestId: oneOf('guest-id', options.guestId ?? (native ? 'none' : 'booking-guest-id'), guestIds),
  };
}
