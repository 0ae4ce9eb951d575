import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrorOf, isProblem } from '../../api/problem.ts';
import { bookingSystemQuery, bookingSystemsQuery } from '../../api/queries.ts';
import type { BookingSystemDetail } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { type Draft, valuesOf } from '../../components/schema.ts';
import { SchemaFields } from '../../components/schema-fields.tsx';
import { useToast } from '../../components/toasts.tsx';
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
      toast(texts.bookingSystems.saved);
    },
  });
  const errorOf = (path: string) => fieldErrorOf(save.error, path);
  return (
    <Card title={texts.bookingSystems.settings}>
      <Form sending={save} submitLabel={texts.actions.save}>
        <TextField
          label={texts.bookingSystems.baseUrl}
          hint={texts.bookingSystems.baseUrlHint}
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
            label={texts.bookingSystems.sendCredentialsTo}
            hint={texts.bookingSystems.sendCredentialsToHint}
            value={sendCredentialsTo}
            onChange={setSendCredentialsTo}
          />
        ) : null}
      </Form>
    </Card>
  );
}
