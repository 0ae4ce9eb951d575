import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { destinationsQuery } from '../../api/queries.ts';
import type { WaiverDetail } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useToast } from '../../components/toasts.tsx';
import { useSession } from '../../session/session.tsx';
import { attachTexts, dayTexts } from '../../text/english/day.ts';
import { texts } from '../../text/english.ts';
import { AttachDialog } from '../day/attach-dialog.tsx';
import { nameOfDestination } from '../deliveries/destination-name.tsx';
import { nameOfGuest } from './waiver-badge.tsx';

interface OfWaiver {
  readonly waiver: WaiverDetail;
}

const pathOf = ({ pool, id }: WaiverDetail) => ({ pool, id });

function NotifiedDestinations({ waiver }: OfWaiver) {
  const { data: destinations = [] } = useQuery(destinationsQuery);
  const ids = [...new Set(waiver.deliveries.map(({ destination }) => destination))];
  const names = ids.map((id) => {
    const destination = destinations.find((each) => each.id === id);
    return { id, name: destination === undefined ? id : nameOfDestination(destination) };
  });
  return (
    <div>
      <p>{texts.waivers.told(ids.length)}</p>
      <ul>
        {names.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </div>
  );
}

export function WaiverActions({ waiver }: OfWaiver) {
  const { may } = useSession();
  if (!may('operator')) return null;
  return (
    <>
      <ExportButton waiver={waiver} />
      {waiver.deleted ? null : <AttachButton waiver={waiver} />}
      {waiver.deleted || waiver.bookingId === null ? null : <DetachButton waiver={waiver} />}
      {waiver.hold === undefined ? <HoldButton waiver={waiver} /> : <ReleaseButton waiver={waiver} />}
      {waiver.deleted ? null : <VoidButton waiver={waiver} />}
      {waiver.hold === undefined ? <EraseButton waiver={waiver} /> : null}
    </>
  );
}

function VoidButton({ waiver }: OfWaiver) {
  return (
    <ConfirmButton
      label={texts.waivers.void}
      title={texts.waivers.voidTitle(nameOfGuest(waiver))}
      lead={texts.waivers.voidLead}
      isDangerous
      change={() => call('POST', '/v1/pools/:pool/waivers/:id/void', { params: pathOf(waiver) })}
      done={texts.waivers.wasVoided}
    >
      <NotifiedDestinations waiver={waiver} />
    </ConfirmButton>
  );
}

function AttachButton({ waiver }: OfWaiver) {
  const { pool, id } = waiver;
  return (
    <DialogButton
      label={waiver.bookingId === null ? dayTexts.attach : texts.waivers.move}
      dialog={(close) => (
        <AttachDialog onClose={close} pool={pool} waivers={[{ id, name: nameOfGuest(waiver) }]} />
      )}
    />
  );
}

function DetachButton({ waiver }: OfWaiver) {
  return (
    <ConfirmButton
      label={attachTexts.detach}
      title={attachTexts.detachTitle}
      lead={attachTexts.detachLead}
      change={() => call('DELETE', '/v1/admin/pools/:pool/waivers/:id/booking', { params: pathOf(waiver) })}
      done={attachTexts.detached}
    >
      <NotifiedDestinations waiver={waiver} />
    </ConfirmButton>
  );
}

function HoldButton({ waiver }: OfWaiver) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmButton
      label={texts.waivers.hold}
      title={texts.waivers.holdTitle(nameOfGuest(waiver))}
      lead={texts.waivers.holdLead}
      confirm={texts.waivers.holdConfirm}
      change={() =>
        call('PUT', '/v1/admin/pools/:pool/waivers/:id/hold', { params: pathOf(waiver), body: { reason } })
      }
      done={texts.waivers.wasHeld}
    >
      <TextField
        label={texts.waivers.holdReason}
        value={reason}
        onChange={setReason}
        maxLength={1_000}
        required
      />
    </ConfirmButton>
  );
}

function ReleaseButton({ waiver }: OfWaiver) {
  return (
    <ConfirmButton
      label={texts.waivers.release}
      lead={texts.waivers.releaseLead}
      change={() => call('DELETE', '/v1/admin/pools/:pool/waivers/:id/hold', { params: pathOf(waiver) })}
      done={texts.waivers.wasReleased}
    />
  );
}

function ExportButton({ waiver: { pool, id } }: OfWaiver) {
  const toast = useToast();
  const exporting = useMutation({
    mutationFn: async () => {
      const file = await call('GET', '/v1/admin/pools/:pool/export', {
        params: { pool },
        query: { waiverId: id },
        parseAs: 'blob',
      });
      saveFile(file, texts.waivers.exportName);
    },
    onError: (error) => toast(error.message),
  });
  return (
    <Button isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
      {texts.waivers.export}
    </Button>
  );
}

function EraseButton({ waiver }: OfWaiver) {
  const { pool, id, answers } = waiver;
  const email = typeof answers?.email === 'string' ? answers.email.trim() : '';
  const [scope, setScope] = useState<'one' | 'all'>('one');
  const navigate = useNavigate();
  const erase = async () => {
    const erasure = await call('POST', '/v1/admin/pools/:pool/erasures', {
      params: { pool },
      body: scope === 'all' ? { email } : { waiverId: id },
    });
    await navigate({ to: '/waivers', search: { pool } });
    return erasure;
  };
  return (
    <ConfirmButton
      label={texts.waivers.erase}
      title={texts.waivers.eraseTitle(nameOfGuest(waiver))}
      lead={texts.waivers.eraseLead}
      confirm={texts.waivers.eraseConfirm}
      isDangerous
      change={erase}
      done={({ waivers }) => texts.waivers.erased(waivers)}
    >
      {email === '' ? null : (
        <ChoiceField
          label={texts.waivers.eraseWhat}
          value={scope}
          choices={[
            ['one', texts.waivers.eraseOne],
            ['all', texts.waivers.eraseAll(email)],
          ]}
          onChange={setScope}
        />
      )}
      <NotifiedDestinations waiver={waiver} />
    </ConfirmButton>
  );
}
