import { call } from '../../api/client.ts';
import { kiosksQuery } from '../../api/queries.ts';
import type { Kiosk } from '../../api/resources.ts';
import { Copyable, SecretOnce } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton, FormButton } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Facts, Item, ListCard } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { count } from '../../text/formats.ts';

const pinField = { label: 'PIN', inputMode: 'numeric', autoComplete: 'off', maxLength: 12 } as const;
const isPin = (pin: string) => /^\d{4,12}$/.test(pin);

export function Kiosks({ pool }: { readonly pool: string }) {
  return (
    <ListCard
      title="Kiosks"
      actions={<AddKiosk pool={pool} />}
      query={kiosksQuery(pool)}
      none="No kiosks"
      noneHint="Pair a tablet on which guests sign one after the other, even without a signal."
      item={(kiosk) => <KioskItem key={kiosk.id} pool={pool} kiosk={kiosk} />}
    />
  );
}

const PairingCode = ({ code, url }: { readonly code: string; readonly url: string }) => (
  <>
    <p>Open this address on the tablet and type the code there. It works once, for ten minutes.</p>
    <Copyable text={url} label="the address for the tablet" />
    <SecretOnce secret={code} label="the pairing code" />
  </>
);

function AddKiosk({ pool }: { readonly pool: string }) {
  return (
    <FormButton
      size="small"
      title="Add kiosk"
      lead="A tablet on which guests sign one after the other. It shows today’s bookings by first name and initial."
      initialDraft={{ name: '', pin: '' }}
      isComplete={({ name, pin }) => name.trim() !== '' && isPin(pin)}
      submit={({ name, pin }) =>
        call('POST', '/v1/admin/pools/:pool/kiosks', { params: { pool }, body: { name: name.trim(), pin } })
      }
      result={(made) => <PairingCode code={made.code} url={made.url} />}
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint="Where it stands, such as “River bank”."
            maxLength={100}
            {...field('name')}
          />
          <TextField
            hint="4 to 12 digits. Your team types it on the tablet to see what waits there, or to end the kiosk."
            {...pinField}
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
  return (
    <Item
      title={
        <>
          {name}
          {pairedAt === null ? <Badge tone="neutral">Not paired yet</Badge> : null}
          {waiting > 0 ? <Badge tone="warning">{`${count(waiting)} waiting`}</Badge> : null}
        </>
      }
      actions={
        <>
          <FormButton
            size="small"
            title="Pair"
            lead="A new code, for the same tablet or another. The currently paired tablet works until the code is used."
            initialDraft={{}}
            submit={() => call('POST', '/v1/admin/pools/:pool/kiosks/:id/pairing-code', { params })}
            result={(made) => <PairingCode code={made.code} url={made.url} />}
          >
            {() => null}
          </FormButton>
          <FormButton
            size="small"
            title="Change"
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
            done="Kiosk changed."
          >
            {({ field }) => (
              <>
                <TextField hint="4 to 12 digits. Leave empty to keep it." {...pinField} {...field('pin')} />
                <TextField
                  label="Seconds without a touch"
                  hint="Then it deletes what was entered and returns to its first screen: 15 to 900."
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
            title={`Revoke the kiosk ${name}?`}
            lead="It stops working at once. Signings that wait there are listed under “Signings that need attention” when they arrive."
            change={() => call('DELETE', '/v1/admin/pools/:pool/kiosks/:id', { params })}
            done="Kiosk revoked."
          />
        </>
      }
    >
      <Facts
        items={{
          'Last seen': lastSeenAt === null ? undefined : <DateTime value={lastSeenAt} style="relative" />,
          'Oldest waits since':
            waiting === 0 || waitingSince === null ? undefined : <DateTime value={waitingSince} />,
        }}
      />
    </Item>
  );
}
