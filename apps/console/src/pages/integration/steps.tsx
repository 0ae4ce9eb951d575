import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call, fieldErrorOf } from '../../api/client.ts';
import {
  bookingSystemQuery,
  bookingSystemsQuery,
  firstStepsQuery,
  installationsQuery,
} from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Copyable, copyableFact } from '../../components/copyable.tsx';
import { Form } from '../../components/dialog.tsx';
import { bind, ChoiceField, TextField } from '../../components/field.tsx';
import { Card, Facts } from '../../components/layout.tsx';
import { Badge, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { type Draft, propertiesOf, SchemaFields, valuesOf } from '../../components/schema-fields.tsx';
import { texts } from '../../text/english.ts';
import { InstallKeys, SettingsForm } from './booking-systems-page.tsx';
import styles from './integration.module.css';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly lead: string;
  readonly isDone: boolean;
  readonly isCurrent: boolean;
  /** Shown beside a completed step. */
  readonly summary?: ReactNode;
  readonly children: ReactNode;
}

/** Shows its content while it is the current step, otherwise one line. */
export function Step({ number, title, lead, isDone, isCurrent, summary, children }: StepProps) {
  const look = isDone ? styles.done : isCurrent ? styles.current : '';
  return (
    <li className={`${styles.step} ${look}`} aria-current={isCurrent ? 'step' : undefined}>
      <span className={styles.number} aria-hidden="true">
        {isDone ? '✓' : number}
      </span>
      <div>
        <div className={styles.heading}>
          <h2>{title}</h2>
          {isDone ? <Badge tone="good">Done</Badge> : null}
          {isDone ? summary : null}
        </div>
        {isCurrent ? (
          <div className={styles.body}>
            <p className="muted">{lead}</p>
            {children}
          </div>
        ) : null}
      </div>
    </li>
  );
}

interface ChooseSystemProps {
  readonly chosen: string | undefined;
  readonly onChoose: (installName: string | undefined) => void;
  /** Called when the chosen system needs no more settings. */
  readonly onReady: () => void;
}

/** The choice of a booking system, and the settings that all its installations share. */
export function ChooseSystem({ chosen, onChoose, onReady }: ChooseSystemProps) {
  const { data: systems, error } = useQuery(bookingSystemsQuery);
  if (error !== null) return <ProblemNotice error={error} />;
  if (systems === undefined) return <Loading />;
  return (
    <>
      <ChoiceField
        label="Booking system"
        value={chosen ?? ''}
        choices={[
          ['', 'Choose one'],
          ...systems.map(({ installName, displayName }) => [installName, displayName] as const),
        ]}
        onChange={(name) => onChoose(name === '' ? undefined : name)}
      />
      {chosen === undefined ? <Sandbox /> : <Settings key={chosen} name={chosen} onReady={onReady} />}
    </>
  );
}

function Settings({ name, onReady }: { readonly name: string; readonly onReady: () => void }) {
  const { data: system, error } = useQuery(bookingSystemQuery(name));
  if (error !== null) return <ProblemNotice error={error} />;
  if (system === undefined) return <Loading />;
  return (
    <>
      <SettingsForm system={system} />
      {system.configured ? (
        <p>
          {system.settingsSet.length === 0 && system.baseUrl === null ? 'It needs no settings. ' : null}
          <Button look="primary" onClick={onReady}>
            Continue
          </Button>
        </p>
      ) : null}
    </>
  );
}

function Sandbox() {
  return (
    <Card title="Nothing to connect yet?">
      <div className={styles.body}>
        <p>
          Try it with a simulated booking system on the same machine. In a checkout, start the service and,
          beside it, the simulation:
        </p>
        <span className={styles.command}>
          <Copyable text="OUTBOUND_ALLOW=127.0.0.1/32 npm start" label="the command for the service" />
        </span>
        <span className={styles.command}>
          <Copyable text="npm run sandbox" label="the command for the sandbox" />
        </span>
        <p>
          It prints the address, the API key and a booking for the steps below. Choose “Standard booking
          system” for it.
        </p>
      </div>
    </Card>
  );
}

interface InstallSystemProps {
  readonly pool: string;
  readonly bookingSystem: string;
  /** Called with the app pool key, which is shown only once. */
  readonly onInstalled: (appPoolKey: string) => void;
}

/** Two ways to install: by hand, or by the booking system itself. */
export function InstallSystem({ pool, bookingSystem, onInstalled }: InstallSystemProps) {
  const { data: installations = [] } = useQuery(installationsQuery(pool));
  return (
    <>
      {installations.some(({ status }) => status === 'pending') ? (
        <Notice tone="warning" title="An installation is waiting for approval.">
          <Link to="/pools/$pool" params={{ pool }}>
            Open the pool
          </Link>
        </Notice>
      ) : null}
      <ByHand pool={pool} bookingSystem={bookingSystem} onInstalled={onInstalled} />
      <Card title="The booking system installs itself">
        <div className="form">
          <p className="muted">
            Give it this address, the pool id and an install key. This page updates when it is installed.
          </p>
          <Facts
            items={{
              ...copyableFact('Address', `${location.origin}/integration/install/${bookingSystem}`),
              ...copyableFact(texts.pools.id, pool),
            }}
          />
        </div>
      </Card>
      <InstallKeys name={bookingSystem} />
    </>
  );
}

/** The account fields that the contract defines for every booking system. */
const common = new Set(['accountId', 'apiKey']);

function ByHand({ pool, bookingSystem, onInstalled }: InstallSystemProps) {
  const { data: system } = useQuery(bookingSystemQuery(bookingSystem));
  const [account, setAccount] = useState({ accountId: '', apiKey: '' });
  const [draft, setDraft] = useState<Draft>({});
  const queries = useQueryClient();
  const isIdElsewhere = typeof system?.accountIdField === 'string';
  const further = propertiesOf(system?.accountSchema).filter(([name]) => !common.has(name));
  const schema =
    typeof system?.accountSchema === 'object'
      ? { ...system.accountSchema, properties: Object.fromEntries(further) }
      : undefined;
  const install = useMutation({
    mutationFn: () =>
      call('PUT', '/v1/admin/pools/:pool/installations/:booking_system', {
        params: { pool, booking_system: bookingSystem },
        body: {
          ...valuesOf(schema, draft),
          ...(isIdElsewhere ? {} : { accountId: account.accountId.trim() }),
          apiKey: account.apiKey.trim(),
        },
      }),
    async onSuccess({ apiKey: appPoolKey }) {
      onInstalled(appPoolKey);
      await queries.invalidateQueries({ queryKey: installationsQuery(pool).queryKey });
    },
  });
  const errorOf = (path: string) => fieldErrorOf(install.error, path);
  const field = (name: keyof typeof account) => ({
    ...bind(account, setAccount)(name),
    error: errorOf(name),
  });
  return (
    <Card title="By hand">
      <Form sending={install} submitLabel="Install">
        {!isIdElsewhere && <TextField label="Account id" required maxLength={256} {...field('accountId')} />}
        <TextField
          label="API key"
          hint="From the operator’s account in the booking system. It is stored encrypted."
          type="password"
          autoComplete="off"
          required
          {...field('apiKey')}
        />
        <SchemaFields schema={schema} draft={draft} onChange={setDraft} errorOf={errorOf} />
      </Form>
    </Card>
  );
}

export interface ReadBooking {
  readonly id: string;
  readonly guests: number;
}

interface ReadBookingProps {
  readonly pool: string;
  readonly onRead: (booking: ReadBooking) => void;
}

/** Reads a booking by its id, or shows why it could not be read. */
export function ReadFirstBooking({ pool, onRead }: ReadBookingProps) {
  const [id, setId] = useState('');
  const queries = useQueryClient();
  const read = useMutation({
    mutationFn: () =>
      call('GET', '/v1/pools/:pool/bookings/:booking_id', { params: { pool, booking_id: id.trim() } }),
    async onSuccess({ guests }) {
      onRead({ id: id.trim(), guests: guests?.length ?? 0 });
      await queries.invalidateQueries({ queryKey: firstStepsQuery.queryKey });
    },
  });
  return (
    <Card>
      <Form sending={read} submitLabel={texts.bookings.read}>
        <TextField label={texts.bookings.id} required maxLength={256} value={id} onChange={setId} />
      </Form>
    </Card>
  );
}
