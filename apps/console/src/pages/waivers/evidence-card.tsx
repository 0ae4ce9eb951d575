import type { SigningDetails } from '../../api/resources.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { Notice } from '../../components/notice.tsx';
import { Timeline, TimelineItem } from '../../components/timeline.tsx';
import { texts } from '../../text/english.ts';
import styles from './signing-card.module.css';
import { EvidenceButton, type OfSigning } from './signing-files.tsx';

type Seal = SigningDetails['seal'];
type Finding = Seal['findings'][number];

const toneOf: Readonly<Record<Finding['status'], Tone>> = {
  proven: 'good',
  'not-proven': 'neutral',
  erased: 'warning',
  changed: 'bad',
};

function SealBadge({ number, findings }: Seal) {
  if (number === null) return <Badge tone="warning">{texts.signing.sealing}</Badge>;
  return findings.some(({ status }) => status === 'changed') ? (
    <Badge tone="bad">{texts.signing.changed}</Badge>
  ) : (
    <Badge tone="good">{texts.signing.unchanged}</Badge>
  );
}

/** How a record is sealed, and what that does and does not prove. */
export function EvidenceCard({ seal, ...signing }: OfSigning & { readonly seal: Seal }) {
  const { leaf, number, head, sealedAt, isStamped, keyFingerprint, findings } = seal;
  return (
    <Card
      title={texts.signing.seal}
      actions={
        <>
          <SealBadge {...seal} />
          <EvidenceButton {...signing} />
        </>
      }
    >
      {number === null ? <Notice>{texts.signing.sealingHint}</Notice> : null}
      <Facts
        items={{
          [texts.signing.number]: number ?? undefined,
          [texts.signing.sealedAt]: sealedAt === null ? undefined : <DateTime value={sealedAt} />,
          [texts.signing.stamp]: isStamped ? texts.signing.stamped : texts.signing.noStamp,
          [texts.signing.leaf]: <Copyable text={leaf} label={texts.signing.leaf} />,
          [texts.signing.head]:
            head === null ? undefined : <Copyable text={head} label={texts.signing.head} />,
          [texts.signing.key]:
            keyFingerprint === null ? undefined : (
              <>
                <Copyable text={keyFingerprint} label={texts.signing.key} />
                <br />
                <span className="muted">{texts.signing.keyHint}</span>
              </>
            ),
        }}
      />
      {findings.length === 0 ? null : (
        <>
          <h3 className={styles.heading}>{texts.signing.findings}</h3>
          <Timeline>
            {findings.map(({ status, sentence }) => (
              <TimelineItem
                key={sentence}
                tone={toneOf[status]}
                line={
                  <>
                    <strong>{texts.signing.statuses[status]}</strong>
                    <span>{sentence}</span>
                  </>
                }
              />
            ))}
          </Timeline>
        </>
      )}
    </Card>
  );
}
