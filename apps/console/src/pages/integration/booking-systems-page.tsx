import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call, fieldErrorOf, isProblem } from '../../api/client.ts';
import { bookingSystemQuery, bookingSystemsQuery, installKeysQuery } from '../../api/queries.ts';
import type { BookingSystemDetail, BookingSystemItem } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { JsonView, SecretOnce } from '../../components/copyable.tsx';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { Form } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Card, Facts, KeyCard, Loaded, Page } from '../../components/layout.tsx';
import { Badge, ProblemNotice, useToast } from '../../components/notice.tsx';
import { type Draft, SchemaFields, valuesOf } from '../../components/schema-fields.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

const inboundKinds = { contract: 'As in the contract', native: 'Native', none: 'No' };

function ConfiguredBadge({ system }: { readonly system: Pick<BookingSystemItem, 'configured'> }) {
  return system.configured ? (
    <Badge tone="good">Configured</Badge>
  ) : (
    <Badge tone="warning">Not configured</Badge>
  );
}

const formsOf = ({ capabilities }: Pick<BookingSystemItem, 'capabilities'>) =>
  capabilities.forms.map((form) => texts.forms[form]).join(', ');

const columns: readonly Column<BookingSystemItem>[] = [
  {
    heading: texts.fields.name,
    cell: ({ installName, displayName }) => (
      <Link to="/booking-systems/$name" params={{ name: installName }}>
        {displayName}
      </Link>
    ),
    onCard: 'title',
  },
  { heading: texts.fields.state, cell: (system) => <ConfiguredBadge system={system} />, onCard: 'bare' },
  { heading: 'Tier', cell: ({ tier }) => texts.tier(tier) },
  { heading: 'Reads', cell: formsOf },
  {
    heading: 'Stores waivers in',
    cell: ({ capabilities }) => (capabilities.guestUpdate ? capabilities.takes.join(', ') : 'Reads only'),
  },
  { heading: 'Announces changes', cell: ({ capabilities }) => inboundKinds[capabilities.inbound] },
];

export function BookingSystemsPage() {
  return (
    <Page title={texts.pages.bookingSystems} lead="Booking systems that have a plugin installed.">
      <TableCard
        label={texts.pages.bookingSystems}
        columns={columns}
        query={bookingSystemsQuery}
        rowKey={({ installName }) => installName}
      />
    </Page>
  );
}

const route = getRouteApi('/booking-systems/$name');

export function BookingSystemPage() {
  const { name } = route.useParams();
  return <Loaded query={bookingSystemQuery(name)}>{(system) => <SystemView system={system} />}</Loaded>;
}

interface OfSystem {
  readonly system: BookingSystemDetail;
}

function SystemView({ system }: OfSystem) {
  const { may } = useSession();
  return (
    <Page title={system.displayName} lead={<ConfiguredBadge system={system} />}>
      <Card title="Capabilities">
        <Capabilities system={system} />
      </Card>
      {may('owner') ? (
        <>
          <SettingsForm system={system} />
          <InstallKeys name={system.installName} />
        </>
      ) : null}
    </Page>
  );
}

function Capabilities({ system }: OfSystem) {
  const { capabilities, baseUrl, authHeaderName, guestUpdateAuthHeaderName, statusMap, limits } = system;
  const yesOrNo = (value: boolean) => (value ? texts.actions.yes : texts.actions.no);
  return (
    <Facts
      items={{
        'Install name': <code>{system.installName}</code>,
        [texts.fields.baseUrl]: baseUrl ?? 'The vendor’s public address',
        Tier: texts.tier(system.tier),
        Reads: formsOf(system),
        'Guest Updates': yesOrNo(capabilities.guestUpdate),
        'Stores waivers in': capabilities.takes.join(', ') || undefined,
        'Removes voided waivers': yesOrNo(capabilities.void),
        'Announces changes': inboundKinds[capabilities.inbound],
        'Header for reading': authHeaderName ?? undefined,
        'Header for Guest Updates': guestUpdateAuthHeaderName ?? undefined,
        Statuses: statusMap ? <JsonView value={statusMap} label="Statuses" /> : undefined,
        Limits: <JsonView value={limits} label="Limits" />,
      }}
    />
  );
}

/** The settings that all installations of a booking system share. Stored values are not shown. */
export function SettingsForm({ system }: { readonly system: BookingSystemDetail }) {
  const { installName, settingsSchema, settingsSet } = system;
  const [baseUrl, setBaseUrl] = useState(system.baseUrl ?? '');
  const [draft, setDraft] = useState<Draft>({});
  const queries = useQueryClient();
  const toast = useToast();
  const [sendCredentialsTo, setSendCredentialsTo] = useState('');
  const save = useMutation({
    mutationFn: () => {
      const settings = valuesOf(settingsSchema, draft);
      return call('PUT', '/v1/admin/booking-systems/:booking_system', {
        params: { booking_system: installName },
        body: {
          ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
          ...(sendCredentialsTo.trim() === '' ? {} : { sendCredentialsTo: sendCredentialsTo.trim() }),
          ...(Object.keys(settings).length === 0 ? {} : { settings }),
        },
      });
    },
    async onSuccess() {
      await Promise.all([
        queries.invalidateQueries({ queryKey: bookingSystemQuery(installName).queryKey }),
        queries.invalidateQueries({ queryKey: bookingSystemsQuery.queryKey }),
      ]);
      setDraft({});
      setSendCredentialsTo('');
      toast('Settings saved.');
    },
  });
  const errorOf = (path: string) => fieldErrorOf(save.error, path);
  return (
    <Card title="Settings">
      <Form sending={save} submitLabel={texts.actions.save}>
        <TextField
          label={texts.fields.baseUrl}
          hint="Leave empty to keep it: the vendor’s public address, unless one was set."
          type="url"
          value={baseUrl}
          onChange={setBaseUrl}
          error={errorOf('baseUrl')}
        />
        <SchemaFields
          schema={settingsSchema}
          draft={draft}
          onChange={setDraft}
          errorOf={(name) => errorOf(`settings.${name}`)}
          alreadySet={settingsSet}
        />
        {sendCredentialsTo !== '' || isProblem(save.error, 'credentials_go_elsewhere') ? (
          <TextField
            label="Send the credentials to"
            hint="The new address’s scheme and host, such as https://booking.example.com, to allow it."
            value={sendCredentialsTo}
            onChange={setSendCredentialsTo}
          />
        ) : null}
      </Form>
    </Card>
  );
}

const url = '/v1/admin/booking-systems/:booking_system/install-keys';

export function InstallKeys({ name }: { readonly name: string }) {
  const params = { booking_system: name };
  const query = installKeysQuery(name);
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => call('POST', url, { params }),
    onSuccess: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  });
  return (
    <KeyCard
      title="Install keys"
      none="No install keys"
      noneHint="Booking systems use one to install themselves for pools."
      revokeLead="Booking systems can no longer install themselves with it. Existing installations stay."
      query={query}
      revoke={(id) => call('DELETE', `${url}/:id`, { params: { ...params, id } })}
      actions={
        <Button size="small" isBusy={add.isPending} onClick={() => add.mutate()}>
          Create key
        </Button>
      }
    >
      <ProblemNotice error={add.error} />
      {add.data === undefined ? null : <SecretOnce secret={add.data.key} label="Install key" />}
    </KeyCard>
  );
}
