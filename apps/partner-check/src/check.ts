import {
  type CheckedExchange,
  type CheckOutcome,
  type ClauseResult,
  checkContract,
} from '@waiver-service/contract-check';
import { createOutbound } from '@waiver-service/outbound';
import colors from 'picocolors';
import { apiKeyVariable, type CheckOptions } from './options.ts';

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/**
 * A text from a booking system as one line that a terminal shows as it is: line breaks, escape codes and marks that
 * turn the direction of writing are shown by their code, so that none of it can pass for the report's own lines.
 */
export const printable = (text: string): string =>
  text.replace(unprintable, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

/** {@link printable} for each line of a text that the program itself has broken into lines. */
const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

const short = (text: string) => printable(text.length > 300 ? `${text.slice(0, 300)}…` : text);

function exchangeLines({ request, answer }: CheckedExchange): string[] {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `    → ${request.method} ${printable(request.url)}`,
    ...(headers.length === 0 ? [] : [`      ${printable(headers.join(' · '))}`]),
    ...(request.body === undefined ? [] : [`      ${short(request.body)}`]),
    'failure' in answer
      ? `    ← ${printable(answer.failure)}`
      : `    ← ${answer.status} ${short(answer.body)}`,
  ];
}

function clauseLines({ id, section, title, verdict, exchange }: ClauseResult): string[] {
  const name = `${id}  ${title} ${colors.dim(`(contract ${section})`)}`;
  if (verdict.holds === true) return [`${colors.green('✔')} ${name}`];
  if (verdict.holds === undefined)
    return [colors.dim(`– ${id}  ${title}: not looked at, ${printable(verdict.because)}`)];
  return [
    `${colors.red('✘')} ${name}`,
    `    found:  ${printable(verdict.found)}`,
    `    change: ${printable(verdict.change)}`,
    ...(exchange ? exchangeLines(exchange).map(colors.dim) : []),
  ];
}

/** A report for a person. */
export function writeReport({ bookingApi, clauses, booking }: CheckOutcome): string {
  // Guest Update cannot be read back.
  const wasWritten = clauses.some(({ id, verdict }) => id === 'write/void' && verdict.holds !== undefined);
  const failed = clauses.filter(({ verdict }) => verdict.holds === false).length;
  const held = clauses.filter(({ verdict }) => verdict.holds === true).length;
  const read = booking
    ? [
        `\n${colors.bold(`The booking as the waiver service reads it (${booking.form} form):`)}`,
        printableLines(JSON.stringify(booking.booking, null, 2)),
        ...booking.warnings.map(
          ({ code, message }) => `${colors.yellow('!')} ${code}: ${printable(message)}`,
        ),
      ]
    : [];
  return [
    `${colors.bold(`Checking ${bookingApi}`)}\n`,
    ...clauses.flatMap(clauseLines),
    ...read,
    ...(wasWritten
      ? [
          '\nThe two waivers of this check were voided in the end. Look at the booking in your system: no waiver whose id begins with waiver-service-check may be left.',
        ]
      : []),
    `\n${held} clauses hold, ${failed} do not, ${clauses.length - held - failed} were not looked at.`,
  ].join('\n');
}

const keyAdvice = (header: string, option: string) =>
  `set ${apiKeyVariable} to the key of the account; if it is, accept it in the header ${header}, or name your header with ${option}`;

export async function check(options: CheckOptions): Promise<CheckOutcome> {
  const { bookingApi, apiKey, pool, write, booking: bookingId } = options;
  const authHeaderName = options['auth-header'];
  const guestUpdateAuthHeaderName = options['guest-update-header'];
  // Allow every address: the user chose it, and it may be on their machine.
  const outbound = createOutbound({ allow: ['0.0.0.0/0', '::/0'], timeoutMs: options.timeout * 1000 });
  try {
    return await checkContract(
      {
        bookingApi,
        apiKey,
        pool,
        write,
        bookingId,
        missingBookingId: options['missing-booking'],
        pathShape: options['path-shape'],
        guestId: options['guest-id'],
        authHeaderName,
        guestUpdateAuthHeaderName,
        advice: {
          booking: 'name a booking that is there with --booking; check the base address and --path-shape',
          readKey: keyAdvice(authHeaderName, '--auth-header'),
          guestUpdateKey: keyAdvice(guestUpdateAuthHeaderName, '--guest-update-header'),
          nothingWritten: 'nothing is written without --write',
        },
      },
      { outbound },
    );
  } finally {
    await outbound.close();
  }
}
