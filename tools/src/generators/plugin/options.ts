/** The options on the command line, as described by `schema.json`. */
export interface GeneratorOptions {
  readonly name: string;
  readonly displayName?: string;
  readonly authHeaderName?: string;
  readonly pathShape?: 'path' | 'query';
  readonly forms?: readonly string[];
  readonly guestId?: 'booking-guest-id' | 'waiver-id' | 'none';
  readonly native?: boolean;
}

/** The complete choices, with defaults applied. */
export interface PluginChoices extends Required<Omit<GeneratorOptions, 'forms'>> {
  readonly forms: readonly ('current' | 'legacy')[];
}

const contractForms = ['current', 'legacy'] as const;
const contractOptions = ['pathShape', 'forms', 'guestId'] as const;

/** A copy of core's: core may not be built yet when the generator runs. A test compares the two. */
export const installNamePattern = /^[a-z][a-z0-9-]{1,62}$/;
const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Letters of any script, but nothing that would end a comment, a line or a heading.
const displayNamePattern = /^[^\p{Cc}\p{Cs}*`<>|]{1,100}$/u;

function titleOf(name: string): string {
  const words = name.split('-').filter((word) => word !== '');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ');
}

function readForms(forms: readonly string[]): PluginChoices['forms'] {
  const unknown = forms.find((form) => contractForms.every((known) => known !== form));
  if (unknown !== undefined) {
    throw new Error(
      `--forms has ${JSON.stringify(unknown)}: it is current, legacy, or current,legacy (--native for an API of its own).`,
    );
  }
  if (forms.length === 0) throw new Error('--forms is empty: give current, legacy, or current,legacy.');
  return contractForms.filter((form) => forms.includes(form));
}

/**
 * Validates the options and applies the defaults.
 * @param taken - names of existing packages, which must be unique because they name the test projects
 * @throws Error whose message says what to change
 */
export function resolveOptions(options: GeneratorOptions, taken: ReadonlySet<string>): PluginChoices {
  const { name, displayName = titleOf(name), authHeaderName = 'api-key', native = false } = options;
  if (!installNamePattern.test(name)) {
    throw new Error(
      `${JSON.stringify(name)} is no install name: give 2 to 63 lower-case letters, digits and hyphens, a letter first.`,
    );
  }
  if (name === 'kit') {
    throw new Error(
      '@waiver-service/plugin-kit is what plugins are written with: give another name than kit.',
    );
  }
  if (taken.has(name)) {
    throw new Error(`A package goes by the name ${name} already: give another, or extend that one.`);
  }
  if (displayName.trim() === '' || !displayNamePattern.test(displayName)) {
    throw new Error('--displayName must be 1 to 100 characters on one line, without * ` < > and |.');
  }
  if (!headerNamePattern.test(authHeaderName)) {
    throw new Error(
      `--authHeaderName is ${JSON.stringify(authHeaderName)}, which is no name of an HTTP header.`,
    );
  }
  const beside = contractOptions.filter((option) => options[option] !== undefined);
  if (native && beside.length > 0) {
    throw new Error(
      `--native is for an API that does not follow the contract: leave out --${beside.join(' and --')}.`,
    );
  }
  return {
    name,
    displayName,
    authHeaderName,
    native,
    pathShape: options.pathShape ?? 'path',
    forms: readForms(options.forms ?? contractForms),
    guestId: options.guestId ?? (native ? 'none' : 'booking-guest-id'),
  };
}
