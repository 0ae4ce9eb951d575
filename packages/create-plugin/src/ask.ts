import { createInterface } from 'node:readline/promises';
import {
  contractForms,
  type GeneratorOptions,
  guestIds,
  nativeAuths,
  nativePages,
  nativeParts,
  nativeWrites,
  pathShapes,
  titleOf,
} from './options.ts';

/** Asks a person one question, and returns the answer. */
export type Ask = (question: string) => Promise<string>;

/** A question about one option. */
interface Question {
  readonly text: string;
  /** The answers that are understood; any text if absent. */
  readonly choices?: readonly string[];
  /** The answer of an empty line. */
  readonly default: string;
  /** Whether several choices may be given, separated by commas. */
  readonly isList?: boolean;
}

const partsOf = (answer: string) => answer.split(/[\s,]+/).filter((part) => part !== '');

/** Asks until the answer is one of the choices. */
async function answerTo(question: Question, ask: Ask): Promise<string> {
  const { text, choices, default: usual, isList = false } = question;
  const separator = isList ? ', ' : ' | ';
  const shown = choices === undefined ? '' : ` (${choices.join(separator)})`;
  for (;;) {
    const given = (await ask(`${text}${shown} [${usual}]: `)).trim() || usual;
    const parts = isList ? partsOf(given).filter((part) => part !== 'none') : [given];
    if (choices === undefined || parts.every((part) => choices.includes(part))) return parts.join(',');
  }
}

async function askAboutOwnApi(ask: Ask): Promise<Partial<GeneratorOptions>> {
  const auth = await answerTo({ text: 'Authentication', choices: nativeAuths, default: 'header' }, ask);
  const header = { text: 'Header of the API key', default: 'api-key' };
  const authHeaderName = auth === 'header' ? await answerTo(header, ask) : undefined;
  const write = await answerTo(
    { text: 'Where it takes signed waivers', choices: nativeWrites, default: 'none' },
    ask,
  );
  const parts = await answerTo(
    {
      text: 'What else it does, separated by commas',
      choices: nativeParts,
      default: 'none',
      isList: true,
    },
    ask,
  );
  const isDivided = /lists|changes/.test(parts);
  const pages = { text: 'How its lists are divided', choices: nativePages, default: 'number' };
  return {
    native: true,
    auth,
    authHeaderName,
    write,
    with: partsOf(parts),
    pages: isDivided ? await answerTo(pages, ask) : undefined,
  };
}

async function askAboutContract(ask: Ask): Promise<Partial<GeneratorOptions>> {
  const forms = {
    text: 'Forms of its bookings',
    choices: contractForms,
    default: contractForms.join(','),
    isList: true,
  };
  return {
    authHeaderName: await answerTo({ text: 'Header of the API key', default: 'api-key' }, ask),
    pathShape: await answerTo({ text: 'Where a booking’s id is', choices: pathShapes, default: 'path' }, ask),
    forms: partsOf(await answerTo(forms, ask)),
    guestId: await answerTo(
      { text: 'End of the path of Guest Update', choices: guestIds, default: 'booking-guest-id' },
      ask,
    ),
  };
}

/** Asks for every option of a plugin. */
export async function askOptions(name: string, ask: Ask): Promise<GeneratorOptions> {
  const displayName = await answerTo({ text: 'Name that operators see', default: titleOf(name) }, ask);
  const api = await answerTo(
    { text: 'Its API: its own, or the contract’s', choices: ['own', 'contract'], default: 'own' },
    ask,
  );
  return { name, displayName, ...(await (api === 'own' ? askAboutOwnApi(ask) : askAboutContract(ask))) };
}

/**
 * The options, asked for on a terminal if only the name was given. A command with any option, and one without a
 * terminal, asks nothing.
 */
export async function completeOptions(options: GeneratorOptions): Promise<GeneratorOptions> {
  const { name, ...others } = options;
  const isBare = Object.values(others).every((value) => value === undefined);
  if (!isBare || !process.stdin.isTTY || !process.stdout.isTTY) return options;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await askOptions(name, (question) => terminal.question(question));
  } finally {
    terminal.close();
  }
}
