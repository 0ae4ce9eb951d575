import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { signingQuery } from '../../api/queries.ts';
import type { SigningDetails, WaiverDetail } from '../../api/resources.ts';
import { copyableFact } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton, FileButton, saveFile } from '../../components/dialog.tsx';
import { Card, Facts, Loaded, Timeline, TimelineItem } from '../../components/layout.tsx';
import { Badge, Notice, type Tone } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { count } from '../../text/formats.ts';
import styles from './waivers.module.css';

/** A signing, and one of its waivers, through which its files are read. */
interface OfSigning {
  readonly pool: string;
  readonly waiverId: string;
  readonly signing: string;
}

/** Opens a page in a new tab; saves it if the browser blocks the tab. */
function showPage(page: Blob, name: string): void {
  const url = URL.createObjectURL(page);
  if (open(url, '_blank') === null) saveFile(page, name);
  // Revoked late: the tab must have loaded it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const readDocument = ({ pool, waiverId }: OfSigning, type: 'text/html' | 'application/pdf') =>
  call('GET', '/v1/pools/:pool/waivers/:id/document', {
    params: { pool, id: waiverId },
    headers: { Accept: type },
    parseAs: 'blob',
  });

/** A signing's document: as a page in a new tab, and as a PDF to save. */
function DocumentButtons(of: OfSigning) {
  return (
    <>
      <FileButton
        size="small"
        label="Open document"
        read={() => readDocument(of, 'text/html')}
        use={(page) => showPage(page, `signing-${of.signing}.html`)}
      />
      <FileButton
        size="small"
        label="PDF"
        read={() => readDocument(of, 'application/pdf')}
        use={(pdf) => saveFile(pdf, `signing-${of.signing}.pdf`)}
      />
    </>
  );
}

/** The file that `waiver-service verify` reads. */
function EvidenceButton({ pool, waiverId, signing }: OfSigning) {
  return (
    <FileButton
      size="small"
      label="Evidence file"
      read={() =>
        call('GET', '/v1/pools/:pool/waivers/:id/evidence', {
          params: { pool, id: waiverId },
          parseAs: 'blob',
        })
      }
      use={(file) => saveFile(file, `evidence-${signing}.json`)}
    />
  );
}

type Seal = SigningDetails['seal'];
type Finding = Seal['findings'][number];

const shownAs: Readonly<Record<Finding['status'], readonly [name: string, tone: Tone]>> = {
  proven: ['Proven', 'good'],
  'not-proven': ['Not proven', 'neutral'],
  erased: ['Erased', 'warning'],
  changed: ['Changed', 'bad'],
};

const linkNames = {
  booking: 'The link of the booking',
  guest: 'A link for this guest',
  desk: 'The desk’s link',
  kiosk: 'A kiosk',
  unknown: 'Not known',
};

const actNames = { agree: 'Agreed', initial: 'Initialed', draw: 'Signed, drawn', type: 'Signed, typed' };

function SealBadge({ number, findings }: Seal) {
  if (number === null) return <Badge tone="warning">Being sealed</Badge>;
  return findings.some(({ status }) => status === 'changed') ? (
    <Badge tone="bad">Changed</Badge>
  ) : (
    <Badge tone="good">Unchanged</Badge>
  );
}

/** How a record is sealed, and what that does and does not prove. */
function EvidenceCard({ seal, ...signing }: OfSigning & { readonly seal: Seal }) {
  const { leaf, number, head, sealedAt, isStamped, keyFingerprint, findings } = seal;
  return (
    <Card
      title="Evidence"
      actions={
        <>
          <SealBadge {...seal} />
          <EvidenceButton {...signing} />
        </>
      }
    >
      {number === null ? (
        <Notice>The record joins its pool’s chain within seconds. What it proves is shown then.</Notice>
      ) : null}
      <Facts
        items={{
          'Number in the pool’s chain': number ?? undefined,
          'Sealed at': sealedAt === null ? undefined : <DateTime value={sealedAt} />,
          'Time stamp from outside': isStamped ? 'Yes' : 'None',
          ...copyableFact('Hash of the record', leaf),
          ...copyableFact('Signed head above it', head),
          ...copyableFact('Fingerprint of the pool’s key', keyFingerprint, 'Give it to anyone who verifies.'),
        }}
      />
      {findings.length === 0 ? null : (
        <>
          <h3 className={styles.heading}>Verifying the evidence file shows:</h3>
          <Timeline>
            {findings.map(({ status, sentence }) => {
              const [name, tone] = shownAs[status];
              const line = (
                <>
                  <strong>{name}</strong>
                  <span>{sentence}</span>
                </>
              );
              return <TimelineItem key={sentence} tone={tone} line={line} />;
            })}
          </Timeline>
        </>
      )}
    </Card>
  );
}

type Signing = NonNullable<WaiverDetail['signing']>;
type SigningAct = SigningDetails['acts'][number];

interface SigningCardProps {
  readonly waiver: WaiverDetail;
  readonly signing: Signing;
}

/** The signing that produced a waiver; for operators, with its acts and evidence. */
export function SigningCard({ waiver, signing }: SigningCardProps) {
  const { may } = useSession();
  const { pool, id, version } = waiver;
  const details = useQuery({ ...signingQuery(pool, id, version), enabled: may('operator') });
  return (
    <>
      <Card
        title="Signing"
        actions={
          may('operator') ? (
            <>
              <DocumentButtons pool={pool} waiverId={id} signing={signing.id} />
              {details.data?.copy?.endedAt === null ? <EndCopyButton pool={pool} waiverId={id} /> : null}
            </>
          ) : null
        }
      >
        <Facts
          items={{
            Form: `${signing.formName}, version ${count(signing.formVersion)}`,
            Language: signing.language,
            Received: <DateTime value={signing.receivedAt} />,
            'To note': flagsOf(signing),
            ...(details.data === undefined ? {} : factsOf(details.data)),
          }}
        />
        {may('operator') ? (
          <Loaded query={signingQuery(pool, id, version)}>
            {(found) => (
              <>
                <h3 className={styles.heading}>Acts</h3>
                <Timeline>
                  {found.acts.map((act) => (
                    <ActItem key={`${act.item} ${act.act} ${act.guest}`} act={act} details={found} />
                  ))}
                </Timeline>
              </>
            )}
          </Loaded>
        ) : null}
      </Card>
      {details.data === undefined ? null : (
        <EvidenceCard pool={pool} waiverId={id} signing={signing.id} seal={details.data.seal} />
      )}
    </>
  );
}

function flagsOf({ flags }: Signing) {
  if (flags === null || flags.length === 0) return undefined;
  return flags.map((flag) => (
    <Badge key={flag} tone="warning">
      {flag}
    </Badge>
  ));
}

const nameOfGuest = ({ guests }: SigningDetails, index: number) =>
  guests[index]?.name ?? `guest ${count(index + 1)}`;

function factsOf(details: SigningDetails) {
  const { openedAt, signedAt, translatedAt, linkKind, signer, guests, address, userAgent } = details;
  const name = signer.name ?? 'erased';
  const { reuse, copy } = details;
  const ofDevice = (at: string | null) =>
    at === null ? (
      'erased'
    ) : (
      <>
        <DateTime value={at} /> <span className="muted">by the clock of the device</span>
      </>
    );
  const translated = (at: string) => <>by the browser, first seen {ofDevice(at)}</>;
  return {
    ...(reuse === null
      ? {}
      : {
          'Confirmed again': ofDevice(reuse.confirmedAt),
          'Known by': `${reuse.email ?? 'erased'} (${reuse.proof === 'link' ? 'link to this guest' : 'code by mail'})`,
          'Confirmed as right': (
            <span dir="auto">
              {[reuse.question, reuse.healthQuestion].filter((part) => part !== null).join(' ')}
            </span>
          ),
          ...(reuse.translatedAt === null
            ? {}
            : { 'Confirmation translated': translated(reuse.translatedAt) }),
        }),
    Opened: ofDevice(openedAt),
    Signed: ofDevice(signedAt),
    ...(translatedAt === null ? {} : { 'Page translated': translated(translatedAt) }),
    'Reached by': linkKind === null ? 'erased' : linkNames[linkKind],
    Signer: signer.takesPart === false ? `${name} (does not take part)` : name,
    Guests: guests.map((_, index) => nameOfGuest(details, index)).join(', ') || undefined,
    Device: [address, userAgent].filter((part) => part !== null).join(' · ') || 'erased',
    'Guest’s copy': <CopyState copy={copy} />,
  };
}

function CopyState({ copy }: Pick<SigningDetails, 'copy'>) {
  if (copy === null) return 'None: signed before there were copies';
  const { openings, lastOpenedAt, endedAt } = copy;
  return (
    <>
      {lastOpenedAt === null ? (
        'Not opened yet'
      ) : (
        <>
          {`Opened ${openings === 1 ? 'once' : `${count(openings)} times`}, last`}{' '}
          <DateTime value={lastOpenedAt} />
        </>
      )}
      {endedAt === null ? null : (
        <>
          {' · '}
          Ended <DateTime value={endedAt} />
        </>
      )}
    </>
  );
}

function EndCopyButton({ pool, waiverId }: { readonly pool: string; readonly waiverId: string }) {
  return (
    <ConfirmButton
      label="End copy"
      size="small"
      title="End the guest’s copy?"
      lead="The link to it stops working at once, for all who signed together, and cannot be given again. What was signed is kept."
      isDangerous
      change={() => call('DELETE', '/v1/pools/:pool/waivers/:id/copy', { params: { pool, id: waiverId } })}
      done="The copy has ended."
    />
  );
}

function ActItem({ act, details }: { readonly act: SigningAct; readonly details: SigningDetails }) {
  const { act: kind, method, guest, text, item, at } = act;
  const who = guest === null ? (details.signer.name ?? 'the signer') : nameOfGuest(details, guest);
  return (
    <TimelineItem
      tone="good"
      line={
        <>
          <strong>{actNames[kind === 'sign' ? (method ?? 'type') : kind]}</strong>
          <DateTime value={at} />
          <span className="muted">{`by ${who}`}</span>
          <code>{item}</code>
        </>
      }
    >
      {text === null ? null : <p dir="auto">{text}</p>}
    </TimelineItem>
  );
}
