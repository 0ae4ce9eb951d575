import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrorOf, isProblem } from '../../api/problem.ts';
import { bookingSystemQuery, bookingSystemsQuery, installKeysQuery } from '../../api/queries.ts';
import type { BookingSystemDetail } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { SecretOnce } from '../../components/copyable.tsx';
import { Form } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Card, KeyCard } from '../../components/layout.tsx';
import { ProblemNotice, useToast } from '../../components/notice.tsx';
import { type Draft, valuesOf } from '../../components/schema.ts';
import { SchemaFields } from '../../components/schema-fields.tsx';
import { texts } from '../../text/english.ts';

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
