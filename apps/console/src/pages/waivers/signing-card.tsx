import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { signingQuery } from '../../api/queries.ts';
import type { SigningDetails, WaiverDetail } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Timeline, TimelineItem } from '../../components/timeline.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { EvidenceCard } from './evidence-card.tsx';
import styles from './signing-card.module.css';
import { DocumentButtons } from './signing-files.tsx';

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
        title={texts.signing.title}
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
            [texts.signing.form]: texts.signing.formOf(signing.formName, signing.formVersion),
            [texts.signing.language]: signing.language,
            [texts.signing.received]: <DateTime value={signing.receivedAt} />,
            [texts.signing.flags]: flagsOf(signing),
            ...(details.data === undefined ? {} : factsOf(details.data)),
          }}
        />
        {may('operator') ? (
          <Loaded query={details}>
            {(found) => (
              <>
                <h3 className={styles.heading}>{texts.signing.acts}</h3>
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
  guests[index]?.name ?? texts.signing.guestNumber(index + 1);

function factsOf(details: SigningDetails) {
  const { openedAt, signedAt, translatedAt, linkKind, signer, guests, address, userAgent } = details;
  const name = signer.name ?? texts.signing.erased;
  const { reuse, copy } = details;
  const ofDevice = (at: string | null) =>
    at === null ? (
      texts.signing.erased
    ) : (
      <>
        <DateTime value={at} /> <span className="muted">{texts.signing.deviceClock}</span>
      </>
    );
  const translated = (at: string) => (
    <>
      {texts.signing.translatedBy} {ofDevice(at)}
    </>
  );
  return {
    ...(reuse === null
      ? {}
      : {
          [texts.signing.confirmed]: ofDevice(reuse.confirmedAt),
          [texts.signing.knownBy]:
            `${reuse.email ?? texts.signing.erased} (${texts.signing.proofs[reuse.proof]})`,
          [texts.signing.question]: (
            <span dir="auto">
              {[reuse.question, reuse.healthQuestion].filter((part) => part !== null).join(' ')}
            </span>
          ),
          ...(reuse.translatedAt === null
            ? {}
            : { [texts.signing.confirmationTranslated]: translated(reuse.translatedAt) }),
        }),
    [texts.signing.opened]: ofDevice(openedAt),
    [texts.signing.signed]: ofDevice(signedAt),
    ...(translatedAt === null ? {} : { [texts.signing.translated]: translated(translatedAt) }),
    [texts.signing.reachedBy]: linkKind === null ? texts.signing.erased : texts.signing.links[linkKind],
    [texts.signing.signer]: signer.takesPart === false ? texts.signing.doesNotTakePart(name) : name,
    [texts.signing.guests]: guests.map((_, index) => nameOfGuest(details, index)).join(', ') || undefined,
    [texts.signing.device]:
      [address, userAgent].filter((part) => part !== null).join(' · ') || texts.signing.erased,
    [texts.signing.copy]: <CopyState copy={copy} />,
  };
}

function CopyState({ copy }: Pick<SigningDetails, 'copy'>) {
  if (copy === null) return texts.signing.noCopy;
  const { openings, lastOpenedAt, endedAt } = copy;
  return (
    <>
      {lastOpenedAt === null ? (
        texts.signing.copyNotOpened
      ) : (
        <>
          {texts.signing.copyOpenings(openings)} <DateTime value={lastOpenedAt} />
        </>
      )}
      {endedAt === null ? null : (
        <>
          {' · '}
          {texts.signing.copyEnded} <DateTime value={endedAt} />
        </>
      )}
    </>
  );
}

function EndCopyButton({ pool, waiverId }: { readonly pool: string; readonly waiverId: string }) {
  return (
    <ConfirmButton
      label={texts.signing.endCopy}
      size="small"
      title={texts.signing.endCopyTitle}
      lead={texts.signing.endCopyLead}
      isDangerous
      change={() => call('DELETE', '/v1/pools/:pool/waivers/:id/copy', { params: { pool, id: waiverId } })}
      done={texts.signing.copyWasEnded}
    />
  );
}

function ActItem({ act, details }: { readonly act: SigningAct; readonly details: SigningDetails }) {
  const { act: kind, method, guest, text, item, at } = act;
  const who = guest === null ? (details.signer.name ?? texts.signing.theSigner) : nameOfGuest(details, guest);
  return (
    <TimelineItem
      tone="good"
      line={
        <>
          <strong>{texts.signing.didWhat[kind === 'sign' ? (method ?? 'type') : kind]}</strong>
          <DateTime value={at} />
          <span className="muted">{texts.signing.by(who)}</span>
          <code>{item}</code>
        </>
      }
    >
      {text === null ? null : <p dir="auto">{text}</p>}
    </TimelineItem>
  );
}
