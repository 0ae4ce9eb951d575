import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type GeneratorOptions, OptionsError, resolveOptions } from './options.ts';
import { renderPlugin } from './render-plugin.ts';

export const usage = `Creates the plugin of a booking system in a new folder, with passing tests.

  npm create waiver-service-plugin@latest <install-name> -- [options]

  <install-name>            2 to 63 lower-case letters, digits and hyphens, a letter first
  --display-name <name>     the name that operators see (default: derived from the install name)
  --auth-header-name <name> the header of the API key when a booking is read (default: api-key)
  --path-shape <shape>      path: /bookings/{id}, query: /bookings?id={id} (default: path)
  --forms <forms>           the contract's booking forms that it sends: current, legacy or current,legacy (default)
  --guest-id <choice>       what ends the path of Guest Update: booking-guest-id, waiver-id or none
                            (default: booking-guest-id)
  --native                  the booking system has its own API: without the last three options
  --auth <kind>             with --native, the key: in a header (header, the default), in Authorization: Token (token),
                            or as OAuth's client credentials (oauth)
  --write <place>           with --native, where it takes waivers: note, field (of a guest), check-in or none (default)
  --with <parts>            with --native, what else it does: lists (reservations by day), changes (since a time),
                            webhooks (registers and calls them), separated by commas
  --pages <kind>            how its lists are divided: number (default), offset or cursor
  --from <file>             with --native, begins with a recording or a response: writes its fixture, a first mapping, and
                            their tests
  -y, --yes                 asks nothing

With only a name, on a terminal, it asks for the others.`;

const text = { type: 'string' } as const;

function parseLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'display-name': text,
        'auth-header-name': text,
        'path-shape': text,
        forms: text,
        'guest-id': text,
        native: { type: 'boolean' },
        auth: text,
        write: text,
        with: text,
        pages: text,
        from: text,
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new OptionsError(error instanceof Error ? error.message : String(error));
  }
}

/** The options of a command line, and whether it may ask for others. */
interface Command {
  readonly options: GeneratorOptions;
  readonly mayAsk: boolean;
}

/** Reads a command line; `undefined` if it asks for help. @throws OptionsError */
export function readCommand(args: readonly string[]): Command | undefined {
  const { values, positionals } = parseLine(args);
  const [name, ...others] = positionals;
  if (values.help || name === undefined) return undefined;
  if (others.length > 0) throw new OptionsError(`${others.join(' ')}: one plugin is created at a time.`);
  const options = {
    name,
    displayName: values['display-name'],
    authHeaderName: values['auth-header-name'],
    pathShape: values['path-shape'],
    forms: values.forms?.split(','),
    guestId: values['guest-id'],
    native: values.native,
    auth: values.auth,
    write: values.write,
    with: values.with?.split(','),
    pages: values.pages,
    from: values.from,
  };
  return { options, mayAsk: values.yes !== true };
}

/** Creates a plugin in a new folder below `parent`, and returns the folder's name. @throws OptionsError */
export function createPlugin(options: GeneratorOptions, parent: string): string {
  const choices = resolveOptions(options, new Set());
  const folder = `waiver-service-plugin-${choices.name}`;
  const place = join(parent, folder);
  if (existsSync(place) && readdirSync(place).length > 0) {
    throw new OptionsError(`The folder ${folder} is not empty: remove it, or choose another install name.`);
  }
  for (const [path, content] of renderPlugin(choices, 'repository')) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), content);
  }
  return folder;
}

const neededNode = 24;

/** The commands to run after `createPlugin`. If this Node.js is too old, npm installs one for the tests. */
export function nextSteps(folder: string, nodeVersion: string): string {
  const isOld = Number.parseInt(nodeVersion, 10) < neededNode;
  const install = isOld ? `npm install --save-dev node@${neededNode}` : 'npm install';
  const why = `\nThe tests need Node.js ${neededNode} or newer. This is ${nodeVersion}, so npm brings one for them.\n`;
  return `${folder} is there. Run this next:

  cd ${folder}
  ${install}
  npm test
${isOld ? why : ''}`;
}
