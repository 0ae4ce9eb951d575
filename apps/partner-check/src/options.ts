import { parseArgs } from 'node:util';
import {
  bookingIdSchema,
  contractChoicesSchema,
  describeIssue,
  installNameSchema,
  poolIdSchema,
} from '@waiver-service/core';
import { z } from 'zod';

/** The environment variable with the API key, which must not appear in a process list. */
export const apiKeyVariable = 'WAIVER_SERVICE_API_KEY';

/** The environment variables with a vendor's account and settings, as JSON; both may contain credentials. */
export const accountVariable = 'WAIVER_SERVICE_ACCOUNT';
export const settingsVariable = 'WAIVER_SERVICE_SETTINGS';

/** The first words of operators' commands, which the host implements. */
export const operatorCommands: readonly string[] = ['doctor', 'backup', 'restore', 'keys', 'pool'];

export const usage = `Checks a booking system's endpoints against the contract.

  waiver-service check <booking-api> --booking <id> [options]
  waiver-service check [<booking-api>] --vendor <name> --booking <id> --record <file>
  waiver-service check <booking-api> --get <path> --booking <id> --record <file>
  waiver-service check --serve [--port <port>] [--path-shape <shape>]

  <booking-api>             base address of the booking system's API, such as https://api.example.com/v2
  --booking <id>            a booking that is there
  --missing-booking <id>    a booking that is not there (default: waiver-service-check-no-such-booking)
  --pool <id>               the pool that asks (default: waiver-service-check)
  --path-shape <shape>      path: /bookings/{id}, query: /bookings?id={id} (default: path)
  --auth-header <name>      header of the key in Booking Details (default: api-key)
  --guest-update-header <name>  header of the key in Guest Update (default: API-key)
  --guest-id <choice>       what ends the path of Guest Update: booking-guest-id, waiver-id or none
                            (default: booking-guest-id)
  --write                   also send Guest Updates; the booking must be one meant for tests
  --timeout <seconds>       for one call (default: 10)
  --json                    the report as JSON
  --vendor <name>           the install name of a booking system with an API of its own, such as octo
  --record <file>           write what its API answers to a read into a new file, with every personal word replaced by
                            one of the same shape
  --get <path>              in place of --vendor, for one that has no plugin yet: record what is at this path below the base
                            address; may be given several times. --auth-header is the header of the account's apiKey
  --list <day>              also record its list of bookings of a day, such as 2027-07-03
  --changes-since <time>    also record what it says has changed since then, such as 2027-07-03T08:00:00Z
  --call <file>             also record this body of a webhook call, as JSON; may be given several times
                            (--write also records a waiver that is written and voided, and a webhook)
  --environment <name>      live or test, for a vendor that has both
  --serve                   run a waiver service to install against, and show what it receives
  --port <port>             where it listens (default: a free one)

The API key comes from the environment: ${apiKeyVariable}; with --vendor, the account information (with accountId and
apiKey) and the booking system's settings, each as JSON: ${accountVariable}, ${settingsVariable}.
Exit status: 0 every clause holds, 1 one does not, 2 the call itself is wrong.

Commands for operators: waiver-service doctor --help
Evidence of a signing: waiver-service verify --help`;

/** An invalid command line. The message says why. */
export class UsageError extends Error {}

const optionsSchema = z.object({
  bookingApi: z
    .url({ protocol: /^https?$/, error: '<booking-api> is no http or https address' })
    .refine((url) => !/[?#]/.test(url), '<booking-api> may not have a query'),
  booking: bookingIdSchema,
  'missing-booking': bookingIdSchema.default('waiver-service-check-no-such-booking'),
  pool: poolIdSchema.default('waiver-service-check'),
  'path-shape': contractChoicesSchema.shape.pathShape.default('path'),
  'auth-header': contractChoicesSchema.shape.authHeaderName.default('api-key'),
  'guest-update-header': contractChoicesSchema.shape.guestUpdateAuthHeaderName.default('API-key'),
  'guest-id': contractChoicesSchema.shape.guestId.default('booking-guest-id'),
  write: z.boolean().default(false),
  timeout: z.coerce.number().min(0.1).max(120).default(10),
  json: z.boolean().default(false),
  apiKey: z.string({ error: `${apiKeyVariable} is not set` }).min(1, `${apiKeyVariable} is empty`),
});

/** Options of a check. `timeout` is in seconds. */
export type CheckOptions = z.infer<typeof optionsSchema>;

const jsonOf = (variable: string) =>
  z
    .string({ error: `${variable} is not set` })
    .transform((text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue(`${variable} is not JSON`);
        return z.NEVER;
      }
    })
    .pipe(z.record(z.string(), z.unknown(), `${variable} is not a JSON object`));

const recordSchema = z.object({
  bookingApi: optionsSchema.shape.bookingApi.optional(),
  vendor: installNameSchema.optional(),
  get: z.array(z.string().min(1)).default([]),
  'auth-header': optionsSchema.shape['auth-header'],
  booking: bookingIdSchema,
  record: z.string().min(1),
  list: z.iso.date().optional(),
  'changes-since': z.iso.datetime().optional(),
  write: optionsSchema.shape.write,
  call: z.array(z.string().min(1)).default([]),
  environment: z.enum(['live', 'test']).optional(),
  timeout: optionsSchema.shape.timeout,
  account: jsonOf(accountVariable),
  settings: jsonOf(settingsVariable).prefault('{}'),
});

/** Options of a recording. `timeout` is in seconds. */
export type RecordOptions = z.infer<typeof recordSchema>;

const serveSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(0),
  'path-shape': contractChoicesSchema.shape.pathShape.default('path'),
});

export type ServeOptions = z.infer<typeof serveSchema>;

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'serve'; readonly options: ServeOptions }
  | { readonly kind: 'check'; readonly options: CheckOptions }
  | { readonly kind: 'record'; readonly options: RecordOptions };

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

function parseLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        booking: text,
        'missing-booking': text,
        pool: text,
        'path-shape': text,
        'auth-header': text,
        'guest-update-header': text,
        'guest-id': text,
        write: flag,
        vendor: text,
        record: text,
        get: { ...text, multiple: true },
        list: text,
        'changes-since': text,
        call: { ...text, multiple: true },
        environment: text,
        timeout: text,
        json: flag,
        serve: flag,
        port: text,
        help: { ...flag, short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function parseWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0] ?? '');
    return ['bookingApi', 'apiKey', 'account', 'settings'].includes(name) ? message : `--${name}: ${message}`;
  });
  throw new UsageError(faults.join('\n'));
}

/** Reads a command line. @throws UsageError */
export function readCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Command {
  const { values, positionals } = parseLine(args);
  if (values.help || args.length === 0) return { kind: 'help' };
  const [command, bookingApi, ...rest] = positionals;
  if (command !== 'check')
    throw new UsageError(`there is no command ${JSON.stringify(command ?? '')}; there is: check`);
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')} is more than one address`);
  if (values.serve) return { kind: 'serve', options: parseWith(serveSchema, values) };
  if ((values.vendor === undefined && values.get === undefined) !== (values.record === undefined))
    throw new UsageError('--vendor, or --get, and --record go together');
  if (values.get !== undefined && (values.vendor !== undefined || bookingApi === undefined))
    throw new UsageError('--get is for a vendor without a plugin: give its base address, and no --vendor');
  if (values.record !== undefined) {
    const [account, settings] = [environment[accountVariable], environment[settingsVariable]];
    return {
      kind: 'record',
      options: parseWith(recordSchema, { ...values, bookingApi, account, settings }),
    };
  }
  const apiKey = environment[apiKeyVariable];
  return { kind: 'check', options: parseWith(optionsSchema, { ...values, bookingApi, apiKey }) };
}
