import type { ReadStep } from '../../api/resources.ts';
import { JsonView } from '../../components/copyable.tsx';
import { Timeline, TimelineItem } from '../../components/layout.tsx';
import { Badge, type Tone } from '../../components/notice.tsx';
import { count, plural, toOneDecimal } from '../../text/formats.ts';
import styles from './integration.module.css';

const stepNames: Readonly<Record<ReadStep['step'], string>> = {
  resolve: 'Plugin and installation',
  address: 'Settings and base address',
  turn: 'Rate limit',
  session: 'Token',
  dns: 'DNS',
  connect: 'Connection',
  tls: 'TLS',
  request: 'Request',
  parse: 'Parse',
  form: 'Form',
  normalize: 'Normalize',
  warnings: 'Warnings',
};

const toneOf: Readonly<Record<ReadStep['state'], Tone>> = { done: 'good', failed: 'bad', skipped: 'neutral' };

/** How a booking was read: a timeline of steps, each with its duration, outcome and exchange. */
export function ReadSteps({ steps }: { readonly steps: readonly ReadStep[] }) {
  const totalMs = Math.max(...steps.map(({ startedMs = 0, durationMs = 0 }) => startedMs + durationMs), 0.1);
  return (
    <Timeline>
      {steps.map((step, index) => (
        // Names may repeat, and the list never changes.
        <TimelineItem
          key={index}
          tone={toneOf[step.state]}
          line={
            <>
              <strong>{stepNames[step.step]}</strong>
              {step.state === 'done' ? null : (
                <Badge tone={toneOf[step.state]}>{step.state === 'failed' ? 'Failed' : 'Not reached'}</Badge>
              )}
              <Duration step={step} totalMs={totalMs} />
            </>
          }
        >
          <p className={step.state === 'skipped' ? 'muted' : ''}>{step.message}</p>
          {step.advice === undefined ? null : <p className={styles.advice}>{step.advice}</p>}
          {step.exchange === undefined ? null : <ExchangeView exchange={step.exchange} />}
        </TimelineItem>
      ))}
    </Timeline>
  );
}

/** How long a step took, with a bar that shows when it ran. */
function Duration({ step, totalMs }: { readonly step: ReadStep; readonly totalMs: number }) {
  const { startedMs, durationMs } = step;
  if (startedMs === undefined || durationMs === undefined) return null;
  const percent = (ms: number) => `${(100 * ms) / totalMs}%`;
  return (
    <span className={styles.duration}>
      <span className={styles.track} aria-hidden="true">
        <span
          className={styles.bar}
          style={{ insetInlineStart: percent(startedMs), width: percent(durationMs) }}
        />
      </span>
      <span className="muted">{`${toOneDecimal(durationMs)} ms`}</span>
    </span>
  );
}

type Exchange = NonNullable<ReadStep['exchange']>;

function ExchangeView({ exchange }: { readonly exchange: Exchange }) {
  const { method, url, requestHeaders, requestBody, answeredAfterMs, status, answerHeaders, answer } =
    exchange;
  const after =
    answeredAfterMs === undefined ? '' : `, first byte after ${count(Math.round(answeredAfterMs))} ms`;
  return (
    <details className={styles.exchange}>
      <summary>
        <code>
          {method} {url}
        </code>
      </summary>
      <HeaderList label="Request headers" headers={requestHeaders} />
      {requestBody === undefined ? null : <BodyView label="Request body" body={requestBody} />}
      {status === undefined ? null : (
        <HeaderList label={`HTTP ${status}${after}`} headers={answerHeaders ?? []} />
      )}
      {answer === undefined ? null : <BodyView label="Response body" body={answer} />}
    </details>
  );
}

interface HeaderListProps {
  readonly label: string;
  readonly headers: Exchange['requestHeaders'];
}

function HeaderList({ label, headers }: HeaderListProps) {
  return (
    <>
      <p className={styles.label}>{label}</p>
      <ul className="mono">
        {headers.map(({ name, value }) => (
          <li key={name}>
            {name}: {value}
          </li>
        ))}
      </ul>
    </>
  );
}

interface BodyViewProps {
  readonly label: string;
  readonly body: NonNullable<Exchange['answer']>;
}

/** Indented if it is complete JSON. */
function BodyView({ label, body: { text, bytes, isWhole } }: BodyViewProps) {
  const size = plural(bytes, 'byte', 'bytes');
  return (
    <>
      <p className={styles.label}>
        {label} <span className="muted">{isWhole ? size : `the beginning of ${size}`}</span>
      </p>
      <JsonView value={isWhole ? parsed(text, text) : text} label={label} />
    </>
  );
}

/** A text's JSON, or something else if it is none. */
export function parsed(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
