import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldErrorOf } from '../../api/problem.ts';
import { bookingSystemQuery, bookingSystemsQuery, dataOf } from '../../api/queries.ts';
import type { BookingSystemDetail } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { ProblemNotice } from '../../components/notice.tsx';
import { type Draft, valuesOf } from '../../components/schema.ts';
import { SchemaFields } from '../../components/schema-fields.tsx';
import { useToast } from '../../components/toasts.tsx';
import { texts } from '../../text/english.ts';

/** The settings that all installations of a booking system share. Those that are set are not shown again. */
export function SettingsForm({ system }: { readonly system: BookingSystemDetail }) {
  const { installName, settingsSchema, settingsSet } = system;
  const [baseUrl, setBaseUrl] = useState(system.baseUrl ?? '');
  const [draft, setDraft] = useState<Draft>({});
  const queries = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => {
      const settings = valuesOf(settingsSchema, draft);
      return dataOf(
        api.PUT('/v1/admin/booking-systems/{booking_system}', {
          params: { path: { booking_system: installName } },
          body: {
            ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
            ...(Object.keys(settings).length === 0 ? {} : { settings }),
          },
        }),
      );
    },
    async onSuccess() {
      await Promise.all([
        queries.invalidateQueries({ queryKey: bookingSystemQuery(installName).queryKey }),
        queries.invalidateQueries({ queryKey: bookingSystemsQuery.queryKey }),
      ]);
      setDraft({});
      toast(texts.bookingSystems.saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const errorOf = (path: string) => fieldErrorOf(save.error, path);
  return (
    <Card title={texts.bookingSystems.settings}>
      <form className={styles.form} onSubmit={submit}>
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
        {save.error === null ? null : <ProblemNotice error={save.error} />}
        <p>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {texts.actions.save}
          </Button>
        </p>
      </form>
    </Card>
  );
}
