import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { KeyCard } from '../../components/key-card.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { texts } from '../../text/english.ts';

const url = '/v1/admin/booking-systems/:booking_system/install-keys';

export function InstallKeys({ name }: { readonly name: string }) {
  const path = { booking_system: name };
  const queryKey = ['install-keys', name];
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => call('POST', url, { params: path }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  return (
    <KeyCard
      words={texts.installKeys}
      mayChange
      query={{
        queryKey,
        queryFn: async () => (await call('GET', url, { params: path, query: { limit: 100 } })).items,
      }}
      revoke={(id) => call('DELETE', `${url}/:id`, { params: { ...path, id } })}
      action={
        <Button size="small" isBusy={add.isPending} onClick={() => add.mutate()}>
          {texts.installKeys.add}
        </Button>
      }
    >
      <ProblemNotice error={add.error} />
      {add.data === undefined ? null : <SecretOnce secret={add.data.key} label={texts.installKeys.secret} />}
    </KeyCard>
  );
}
