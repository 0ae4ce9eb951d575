import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { destinationsQuery } from '../../api/queries.ts';
import type { WaiverDetail } from '../../api/resources.ts';
import { ConfirmButton, DialogButton, FileButton, saveFile } from '../../components/dialog.tsx';
import { ChoiceField, choicesIn, TextField } from '../../components/field.tsx';
import { nameOfGuest } from '../../components/names.tsx';
import { useSession } from '../../session/session.tsx';
import { AttachDialog } from '../day-board/attach-dialog.tsx';
import { nameOfDestination } from '../operations/destination.tsx';

interface OfWaiver {
  readonly waiver: WaiverDetail;
}

function NotifiedDestinations({ waiver }: OfWaiver) {
  const { data: destinations = [] } = useQuery(destinationsQuery);
  const ids = [...new Set(waiver.deliveries.map(({ destination }) => destination))];
  const names = ids.map((id) => {
    const destination = destinations.find((each) => each.id === id);
    return { id, name: destination === undefined ? id : nameOfDestination(destination) };
  });
  return (
    <div>
      <p>
        {ids.length === 0
          ? 'It has not been sent to any destination yet.'
          : `It was sent to ${ids.length === 1 ? 'one destination' : `${ids.length} destinations`}:`}
      </p>
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
  const { pool, id, deleted, bookingId, hold } = waiver;
  const params = { pool, id };
  const name = nameOfGuest(waiver);
  if (!may('operator')) return null;
  return (
    <>
      <FileButton
        label="Export"
        read={() =>
          call('GET', '/v1/admin/pools/:pool/export', {
            params: { pool },
            query: { waiverId: id },
            parseAs: 'blob',
          })
        }
        use={(file) => saveFile(file, 'guest.json')}
      />
      {deleted ? null : (
        <DialogButton
          label={bookingId === null ? 'Attach' : 'Move…'}
          dialog={(close) => <AttachDialog onClose={close} pool={pool} waivers={[{ id, name }]} />}
        />
      )}
      {deleted || bookingId === null ? null : (
        <ConfirmButton
          label="Detach"
          title="Detach from the booking"
          lead="The booking system is notified that the waiver is no longer on the booking. The waiver stays, as a walk-in’s."
          change={() => call('DELETE', '/v1/admin/pools/:pool/waivers/:id/booking', { params })}
          done="Waiver detached."
        >
          <NotifiedDestinations waiver={waiver} />
        </ConfirmButton>
      )}
      {hold === undefined ? (
        <HoldButton waiver={waiver} />
      ) : (
        <ConfirmButton
          label="Release"
          lead="Retention applies to the record again. An erasure prevented by the hold must be requested again."
          change={() => call('DELETE', '/v1/admin/pools/:pool/waivers/:id/hold', { params })}
          done="Hold released."
        />
      )}
      {deleted ? null : (
        <ConfirmButton
          label="Void"
          title={`Void the waiver of ${name}`}
          lead="Voiding is final. Every booking system and webhook that received the waiver is notified that it no longer counts. The record stays."
          isDangerous
          change={() => call('POST', '/v1/pools/:pool/waivers/:id/void', { params })}
          done="Waiver voided."
        >
          <NotifiedDestinations waiver={waiver} />
        </ConfirmButton>
      )}
      {hold === undefined ? <EraseButton waiver={waiver} /> : null}
    </>
  );
}

function HoldButton({ waiver }: OfWaiver) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmButton
      label="Hold…"
      title={`Hold the record of ${nameOfGuest(waiver)}`}
      lead="A held record is exempt from retention and erasure until the hold is released. Nothing is sent."
      confirm="Hold"
      change={() =>
        call('PUT', '/v1/admin/pools/:pool/waivers/:id/hold', {
          params: { pool: waiver.pool, id: waiver.id },
          body: { reason },
        })
      }
      done="Hold placed."
    >
      <TextField label="Reason" value={reason} onChange={setReason} maxLength={1_000} required />
    </ConfirmButton>
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
      label="Erase…"
      title={`Erase ${nameOfGuest(waiver)}`}
      lead="Erasing is final. The record is gone at once. Every destination that received it is notified of the deletion; then its answers, messages and versions are removed from every table. Only the id, the time and who requested it are kept."
      confirm="Erase"
      isDangerous
      change={erase}
      done={({ waivers }) => `${waivers === 1 ? 'One record is' : `${waivers} records are`} erased.`}
    >
      {email === '' ? null : (
        <ChoiceField
          label="What to erase"
          value={scope}
          choices={choicesIn({ one: 'This record', all: `Every record with ${email}` })}
          onChange={setScope}
        />
      )}
      <NotifiedDestinations waiver={waiver} />
    </ConfirmButton>
  );
}
