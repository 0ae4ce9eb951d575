import type { ReceivedRequest } from '@waiver-service/simulator';
import colors from 'picocolors';

const secretHeader = /^(api-key|authorization|x-demo-secret)$/i;
const shownHeader = /^(api-key|authorization|x-demo-secret|content-type|cache-control)$/i;

/** One step of the story, in one line. */
export function showStep(text: string, milliseconds?: number): void {
  const time = milliseconds === undefined ? '' : colors.dim(` ${Math.round(milliseconds)} ms`);
  console.log(`${colors.green('✔')} ${text}${time}`);
}

/** A heading between parts of the story. */
export function showHeading(text: string): void {
  console.log(`\n${colors.bold(text)}`);
}

/** Details of a step, such as a request or a place to look. */
export function showDetail(...lines: string[]): void {
  for (const line of lines) console.log(colors.dim(`    ${line}`));
}

/** A received request and its answer, without the values of secret headers. */
export function showArrival(request: ReceivedRequest): void {
  const { rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1 || !shownHeader.test(name)) return [];
    return [`${name}: ${secretHeader.test(name) ? '‹secret›' : rawHeaders[index + 1]}`];
  });
  showDetail(
    `→ ${request.method} ${request.path}`,
    `  ${headers.join(' · ')}`,
    `  ${request.body.toString('utf8')}`,
    `← ${request.answer?.status} ${JSON.stringify(request.answer?.body)}`,
  );
}
