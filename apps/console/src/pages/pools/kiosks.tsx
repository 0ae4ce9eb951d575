import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { kiosksQuery } from '../../api/queries.ts';
import type { Kiosk } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { Item } from '../../components/item.tsx';
import { ListCard } from '../../components/loaded.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useSession } from '../../session/session.tsx';
import { kioskTexts } from '../../text/english/kiosks.ts';
import { texts } from '../../text/english.ts';

const isPin = (pin: string) => /^\d{4,12}$/.test(pin);

export function Kiosks({ pool }: { readonly pool: string }) {
  const { may } = useSession();
  return (
    <ListCard
      title={kioskTexts.title}
      actions={may('operator') ? <AddKiosk pool={pool} /> : undefined}
      query={useQuery(kiosksQuery(pool))}
      none={kioskTexts.none}
      noneHint={kioskTexts.noneHint}
      item={(kiosk) => <KioskItem key={kiosk.id} pool={pool} kiosk={kiosk} />}
    />
  );
}

interface Pairing {
  readonly code: string;
  readonly url: string;
}

const PairingCode = ({ code, url }: Pairing) => (
  <>
    <p>{kioskTexts.pairLead}</p>
    <Copyable text={url} label={kioskTexts.address} />
    <SecretOnce secret={code} label={kioskTexts.code} />
  </>
);

function AddKiosk({ pool }: { readonly pool: string }) {
  return (
    <FormButton
      size="small"
      title={kioskTexts.add}
      lead={kioskTexts.addLead}
      initialDraft={{ name: '', pin: '' }}
      isComplete={({ name, pin }) => name.trim() !== '' && isPin(pin)}
      submit={({ name, pin }) =>
        call('POST', '/v1/admin/pools/:pool/kiosks', {
          params: { pool },
          body: { name: name.trim(), pin },
        })
      }
      queryKey={kiosksQuery(pool).queryKey}
      result={(made) => <PairingCode code={made.code} url={made.url} />}
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint={kioskTexts.nameHint}
            maxLength={100}
            {...field('name')}
          />
          <TextField
            label={kioskTexts.pin}
            hint={kioskTexts.pinHint}
            inputMode="numeric"
            autoComplete="off"
            maxLength={12}
            {...field('pin')}
          />
        </>
      )}
    </FormButton>
  );
}

function KioskItem({ pool, kiosk }: { readonly pool: string; readonly kiosk: Kiosk }) {
  const { id, name, pairedAt, lastSeenAt, waiting, waitingSince, returnAfterS } = kiosk;
  const params = { pool, id };
  const { queryKey } = kiosksQuery(pool);
  return (
    <Item
      title={
        <>
          {name}
          {pairedAt === null ? <Badge tone="neutral">{kioskTexts.unpaired}</Badge> : null}
          {waiting > 0 ? <Badge tone="warning">{kioskTexts.waiting(waiting)}</Badge> : null}
        </>
      }
      actions={
        <>
          <FormButton
            size="small"
            title={kioskTexts.pair}
            lead={kioskTexts.pairAgain}
            initialDraft={{}}
            submit={() => call('POST', '/v1/admin/pools/:pool/kiosks/:id/pairing-code', { params })}
            queryKey={queryKey}
            result={(made) => <PairingCode code={made.code} url={made.url} />}
          >
            {() => null}
          </FormButton>
          <FormButton
            size="small"
            title={kioskTexts.changePin}
            initialDraft={{ pin: '', returnAfterS: String(returnAfterS) }}
            isComplete={(draft) => draft.pin === '' || isPin(draft.pin)}
            submit={(draft) =>
              call('PATCH', '/v1/admin/pools/:pool/kiosks/:id', {
                params,
                body: {
                  ...(draft.pin === '' ? {} : { pin: draft.pin }),
                  returnAfterS: Number(draft.returnAfterS),
                },
              })
            }
            queryKey={queryKey}
            done={kioskTexts.changed}
          >
            {({ field }) => (
              <>
                <TextField
                  label={kioskTexts.pin}
                  hint={kioskTexts.newPinHint}
                  inputMode="numeric"
                  autoComplete="off"
                  maxLength={12}
                  {...field('pin')}
                />
                <TextField
                  label={kioskTexts.pause}
                  hint={kioskTexts.pauseHint}
                  type="number"
                  min={15}
                  max={900}
                  {...field('returnAfterS')}
                />
              </>
            )}
          </FormButton>
          <ConfirmButton
            size="small"
            isDangerous
            label={texts.keys.revoke}
            title={kioskTexts.revokeTitle(name)}
            lead={kioskTexts.revokeLead}
            change={() => call('DELETE', '/v1/admin/pools/:pool/kiosks/:id', { params })}
            queryKey={queryKey}
            done={kioskTexts.revoked}
          />
        </>
      }
    >
      <Facts
        items={{
          [kioskTexts.lastSeen]:
            lastSeenAt === null ? undefined : <DateTime value={lastSeenAt} style="relative" />,
          [kioskTexts.waitingSince]:
            waiting === 0 || waitingSince === null ? undefined : <DateTime value={waitingSince} />,
        }}
      />
    </Item>
  );
}
