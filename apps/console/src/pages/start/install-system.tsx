import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrorOf } from '../../api/problem.ts';
import { bookingSystemQuery, installationsQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { Facts } from '../../components/facts.tsx';
import { TextField } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { type Draft, propertiesOf, valuesOf } from '../../components/schema.ts';
import { SchemaFields } from '../../components/schema-fields.tsx';
import { texts } from '../../text/english.ts';
import { InstallKeys } from '../booking-systems/install-keys.tsx';

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
        <Notice tone="warning" title={texts.start.installation.pending}>
          <Link to="/pools/$pool" params={{ pool }}>
            {texts.start.installation.toPool}
          </Link>
        </Notice>
      ) : null}
      <ByHand pool={pool} bookingSystem={bookingSystem} onInstalled={onInstalled} />
      <Card title={texts.start.installation.itself}>
        <div className={form.form}>
          <p className="muted">{texts.start.installation.itselfLead}</p>
          <Facts
            items={{
              [texts.start.installation.address]: (
                <Copyable
                  text={`${location.origin}/integration/install/${bookingSystem}`}
                  label={texts.start.installation.address}
                />
              ),
              [texts.pools.id]: <Copyable text={pool} label={texts.pools.id} />,
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
  const [accountId, setAccountId] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [draft, setDraft] = useState<Draft>({});
  const queries = useQueryClient();
  const further = propertiesOf(system?.accountSchema).filter(([name]) => !common.has(name));
  const schema =
    typeof system?.accountSchema === 'object'
      ? { ...system.accountSchema, properties: Object.fromEntries(further) }
      : undefined;
  const install = useMutation({
    mutationFn: () =>
      call('PUT', '/v1/admin/pools/:pool/installations/:booking_system', {
        params: { pool, booking_system: bookingSystem },
        body: { ...valuesOf(schema, draft), accountId: accountId.trim(), apiKey: apiKey.trim() },
      }),
    async onSuccess({ apiKey: appPoolKey }) {
      onInstalled(appPoolKey);
      await queries.invalidateQueries({ queryKey: installationsQuery(pool).queryKey });
    },
  });
  const errorOf = (path: string) => fieldErrorOf(install.error, path);
  return (
    <Card title={texts.start.installation.byHand}>
      <Form sending={install} submitLabel={texts.start.installation.install}>
        <TextField
          label={texts.start.installation.account}
          required
          maxLength={256}
          value={accountId}
          onChange={setAccountId}
          error={errorOf('accountId')}
        />
        <TextField
          label={texts.start.installation.apiKey}
          hint={texts.start.installation.apiKeyHint}
          type="password"
          autoComplete="off"
          required
          value={apiKey}
          onChange={setApiKey}
          error={errorOf('apiKey')}
        />
        <SchemaFields schema={schema} draft={draft} onChange={setDraft} errorOf={errorOf} />
      </Form>
    </Card>
  );
}
