import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { checkQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import formStyles from '../../components/form.module.css';
import { Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import styles from './check-dialog.module.css';
import { type CheckEnd, type CheckedClause, readCheckLines } from './check-lines.ts';
import type { InstallationDialogProps } from './test-dialog.tsx';

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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate();
  };
  const isStopped = running.current?.signal.aborted === true;
  return (
    <Dialog
      onClose={onClose}
      isWide
      title={texts.check.title(bookingSystem)}
      action={
        about.data?.possible !== true ? null : check.isPending ? (
          <Button onClick={() => running.current?.abort()}>{texts.check.stop}</Button>
        ) : (
          <Button type="submit" form="check-installation" look="primary">
            {texts.check.start}
          </Button>
        )
      }
    >
      <ProblemNotice error={about.error} />
      {about.isPending ? <Loading /> : null}
      {about.data?.reason === undefined ? null : <Notice>{about.data.reason}</Notice>}
      {about.data?.possible !== true ? null : (
        <>
          <p className="muted">{texts.check.lead}</p>
          <SentList title={texts.check.always} sentences={about.data.reads} />
          {about.data.writes.length === 0 ? null : (
            <SentList title={texts.check.ifWritten} sentences={about.data.writes} />
          )}
          <p className="muted">{texts.check.limit(about.data.maxSeconds)}</p>
          <form id="check-installation" className={formStyles.form} onSubmit={submit}>
            <TextField
              label={texts.bookings.id}
              hint={texts.check.bookingHint}
              value={bookingId}
              onChange={setBookingId}
              required
              maxLength={256}
            />
            {about.data.writes.length === 0 ? null : (
              <ChoiceField
                label={texts.check.write}
                value={write}
                choices={[
                  ['no', texts.check.writeChoices.no],
                  ['yes', texts.check.writeChoices.yes],
                ]}
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
        <p role="status">{isRunning ? texts.check.running(clauses.length) : texts.check.broken}</p>
      ) : (
        <Notice tone={end.ok ? 'good' : 'bad'} title={end.ok ? texts.check.ok : texts.check.notOk}>
          {texts.check.result(end.held, end.failed, end.notChecked)}
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
  const { verdicts } = texts.check;
  return (
    <li className={styles.clause}>
      <p className={styles.head}>
        {holds === null ? (
          <Badge>{verdicts.notChecked}</Badge>
        ) : (
          <Badge tone={holds ? 'good' : 'bad'}>{holds ? verdicts.holds : verdicts.fails}</Badge>
        )}
        <span>{title}</span>
        <span className="muted">
          <code>{id}</code> · {texts.check.section(section)}
        </span>
      </p>
      {because === undefined ? null : <p className="muted">{because}</p>}
      {found === undefined ? null : (
        <p>
          <strong>{texts.check.found}:</strong> {found}
        </p>
      )}
      {change === undefined ? null : (
        <p>
          <strong>{texts.check.change}:</strong> {change}
        </p>
      )}
      {request === undefined || holds !== false ? null : (
        <pre className={styles.exchange}>
          {request}
          {'\n'}
          {answer}
        </pre>
      )}
    </li>
  );
}
