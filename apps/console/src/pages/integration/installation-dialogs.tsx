import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { bookingSystemsQuery, checkQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField, choicesIn, handleSubmit, TextField } from '../../components/field.tsx';
import { Badge, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { count, plural } from '../../text/formats.ts';
import styles from './integration.module.css';
import { ReadSteps } from './read-steps.tsx';

interface CheckedClause {
  readonly type: 'clause';
  readonly id: string;
  readonly section: string;
  readonly title: string;
  /** Null if it was not checked. */
  readonly holds: boolean | null;
  readonly found?: string;
  readonly change?: string;
  readonly because?: string;
  readonly request?: string;
  readonly answer?: string;
}

interface CheckEnd {
  readonly type: 'end';
  readonly ok: boolean;
  readonly held: number;
  readonly failed: number;
  readonly notChecked: number;
}

type CheckLine = CheckedClause | CheckEnd;

const isLine = (value: unknown): value is CheckLine =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (value.type === 'clause' || value.type === 'end');

/** Reads the lines of a check as they arrive. */
export async function* readCheckLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<CheckLine> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const read: unknown = JSON.parse(line);
      if (isLine(read)) yield read;
    }
    if (done) return;
  }
}

interface Report {
  readonly clauses: readonly CheckedClause[];
  readonly end?: CheckEnd;
}

/** Checks an installed booking system against the contract, after showing which requests the check will send. */
export function CheckDialog({ onClose, pool, bookingSystem }: InstallationDialogProps) {
  const about = useQuery(checkQuery(pool, bookingSystem));
  const [bookingId, setBookingId] = useState('');
  const [write, setWrite] = useState<'no' | 'yes'>('no');
  const [report, setReport] = useState<Report>();
  const running = useRef<AbortController>(undefined);
  const check = useMutation({
    async mutationFn() {
      const stop = new AbortController();
      running.current = stop;
      setReport(undefined);
      const stream = await call('POST', '/v1/admin/pools/:pool/installations/:booking_system/check', {
        params: { pool, booking_system: bookingSystem },
        body: { bookingId: bookingId.trim(), write: write === 'yes' },
        parseAs: 'stream',
        signal: stop.signal,
      });
      let received: Report = { clauses: [] };
      setReport(received);
      if (stream === null) return;
      for await (const line of readCheckLines(stream)) {
        received =
          line.type === 'end' ? { ...received, end: line } : { clauses: [...received.clauses, line] };
        setReport(received);
      }
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  const isStopped = running.current?.signal.aborted === true;
  return (
    <Dialog
      onClose={onClose}
      isWide
      title={`Check ${bookingSystem} against the contract`}
      action={
        about.data?.possible !== true ? null : check.isPending ? (
          <Button onClick={() => running.current?.abort()}>Stop</Button>
        ) : (
          <Button type="submit" form="check-installation" look="primary">
            Start the check
          </Button>
        )
      }
    >
      <ProblemNotice error={about.error} />
      {about.isPending ? <Loading /> : null}
      {about.data?.reason === undefined ? null : <Notice>{about.data.reason}</Notice>}
      {about.data?.possible !== true ? null : (
        <>
          <p className="muted">Checks its live endpoints against each clause of the contract, by sending:</p>
          <SentList title="To read" sentences={about.data.reads} />
          {about.data.writes.length === 0 ? null : (
            <SentList title="For writing, if chosen" sentences={about.data.writes} />
          )}
          <p className="muted">{`It takes at most ${about.data.maxSeconds} seconds.`}</p>
          <form id="check-installation" className="form" onSubmit={handleSubmit(check.mutate)}>
            <TextField
              label={texts.bookings.id}
              hint="An existing booking. For writing, use one made for testing."
              value={bookingId}
              onChange={setBookingId}
              required
              maxLength={256}
            />
            {about.data.writes.length === 0 ? null : (
              <ChoiceField
                label="Guest Updates"
                value={write}
                choices={choicesIn({ no: 'Read only', yes: 'Write sample waivers and void them' })}
                onChange={setWrite}
              />
            )}
          </form>
        </>
      )}
      {isStopped ? null : <ProblemNotice error={check.error} />}
      {report === undefined ? null : <ReportView report={report} isRunning={check.isPending} />}
    </Dialog>
  );
}

function SentList({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles.sent}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

function ReportView({ report, isRunning }: { readonly report: Report; readonly isRunning: boolean }) {
  const { clauses, end } = report;
  return (
    <>
      {end === undefined ? (
        <p role="status">
          {isRunning
            ? `${plural(clauses.length, 'clause', 'clauses')} so far…`
            : 'The check was interrupted.'}
        </p>
      ) : (
        <Notice
          tone={end.ok ? 'good' : 'bad'}
          title={end.ok ? 'It follows the contract' : 'It does not follow the contract'}
        >
          {`${plural(end.held, 'clause holds', 'clauses hold')}, ${count(end.failed)} ${end.failed === 1 ? 'does' : 'do'} not, ${count(end.notChecked)} not checked.`}
        </Notice>
      )}
      <ul className={styles.clauses}>
        {clauses.map((clause) => (
          <ClauseItem key={clause.id} clause={clause} />
        ))}
      </ul>
    </>
  );
}

function ClauseItem({ clause }: { readonly clause: CheckedClause }) {
  const { id, section, title, holds, found, change, because, request, answer } = clause;
  return (
    <li className={styles.clause}>
      <p className={styles.head}>
        {holds === null ? (
          <Badge>Not checked</Badge>
        ) : (
          <Badge tone={holds ? 'good' : 'bad'}>{holds ? 'Holds' : 'Fails'}</Badge>
        )}
        <span>{title}</span>
        <span className="muted">
          <code>{id}</code> · {`contract ${section}`}
        </span>
      </p>
      {because === undefined ? null : <p className="muted">{because}</p>}
      {found === undefined ? null : (
        <p>
          <strong>Found:</strong> {found}
        </p>
      )}
      {change === undefined ? null : (
        <p>
          <strong>Change:</strong> {change}
        </p>
      )}
      {request === undefined || holds !== false ? null : (
        <pre className={styles.request}>
          {request}
          {'\n'}
          {answer}
        </pre>
      )}
    </li>
  );
}

interface InstallationDialogProps {
  readonly onClose: () => void;
  readonly pool: string;
  readonly bookingSystem: string;
}

/** Reads one booking or checks the account, and shows each step with its result. */
export function TestDialog({ onClose, pool, bookingSystem }: InstallationDialogProps) {
  const [bookingId, setBookingId] = useState('');
  const { data: systems = [] } = useQuery(bookingSystemsQuery);
  const system = systems.find(({ installName }) => installName === bookingSystem);
  const checksAccess = system?.capabilities.checksAccess === true;
  const test = useMutation({
    mutationFn: () =>
      call('POST', '/v1/admin/pools/:pool/installations/:booking_system/test', {
        params: { pool, booking_system: bookingSystem },
        body: bookingId.trim() === '' ? {} : { bookingId: bookingId.trim() },
      }),
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Test ${bookingSystem}`}
      isWide
      lead={
        checksAccess
          ? 'Reads one booking now, or checks the account if no id is given, and shows each step and its result. Nothing is written.'
          : 'Reads one booking now and shows each step and its result. Nothing is written.'
      }
      action={
        <Button type="submit" form="test-installation" look="primary" isBusy={test.isPending}>
          {texts.actions.test}
        </Button>
      }
    >
      <form id="test-installation" className="form" onSubmit={handleSubmit(test.mutate)}>
        <TextField
          label={texts.bookings.id}
          value={bookingId}
          onChange={setBookingId}
          required={!checksAccess}
          maxLength={256}
        />
      </form>
      <ProblemNotice error={test.error} />
      {test.data === undefined ? null : test.data.ok ? (
        <Notice tone="good" title={`It works: read in ${count(test.data.durationMs)} ms`}>
          {texts.bookings.warnings(test.data.warnings.length)}
        </Notice>
      ) : (
        <Notice tone="bad" title={`It failed after ${count(test.data.durationMs)} ms`}>
          {test.data.message}
        </Notice>
      )}
      {test.data === undefined ? null : <ReadSteps steps={test.data.steps} />}
    </Dialog>
  );
}

export function AuthorizeDialog({ onClose, pool, bookingSystem }: InstallationDialogProps) {
  const make = useMutation({
    networkMode: 'always',
    mutationFn: () =>
      call('POST', '/v1/admin/pools/:pool/installations/:booking_system/authorize', {
        params: { pool, booking_system: bookingSystem },
      }),
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Authorize ${bookingSystem}`}
      lead="Someone with access to the account logs in to the booking system and grants access there. The link works once, within 15 minutes, in this browser only."
      isBusy={make.isPending}
      action={
        make.data === undefined ? (
          <Button look="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
            Create link
          </Button>
        ) : null
      }
    >
      <ProblemNotice error={make.error} />
      {make.data === undefined ? null : (
        <a href={make.data.url} target="_blank" rel="noreferrer">
          Open
        </a>
      )}
    </Dialog>
  );
}
