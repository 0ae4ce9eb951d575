import type { CheckedExchange, CheckOutcome, ClauseResult } from '@waiver-service/contract-check';
import colors from 'picocolors';
import { printable, printableLines } from './printable.ts';

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
    `\n${held} clauses hold, ${failed} do not, ${clauses.length - held - failed} were not looked at.`,
  ].join('\n');
}
