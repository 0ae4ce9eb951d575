import type { Day, WalkIn } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { dayTexts } from '../../text/english/day.ts';
import { texts } from '../../text/english.ts';
import { formatTimeIn } from '../../text/formats.ts';
import { AttachDialog } from './attach-dialog.tsx';
import styles from './day.module.css';
import { PersonRow } from './guest-row.tsx';
import { useShownDay } from './shown-day.ts';

const nameOf = ({ name }: WalkIn) => name ?? texts.guests.unnamed;

/** The walk-ins that pass the filter; renders nothing if there are none. */
export function WalkIns({ day, walkIns }: { readonly day: Day; readonly walkIns: readonly WalkIn[] }) {
  const { tick } = useShownDay();
  if (walkIns.length === 0) return null;
  return (
    <Card title={dayTexts.walkIns} isFlush>
      <p className={`${styles.hint} muted`}>{dayTexts.walkInsHint}</p>
      <ul className={styles.walkIns}>
        {walkIns.map((walkIn) => (
          <PersonRow
            key={walkIn.key}
            pool={day.pool}
            name={nameOf(walkIn)}
            person={walkIn}
            booking={undefined}
          >
            <span className="muted">{formatTimeIn(day.timeZone, new Date(walkIn.signedAt))}</span>
            {tick === undefined ? null : (
              <DialogButton
                size="small"
                label={dayTexts.attach}
                aria-label={dayTexts.attachOf(nameOf(walkIn))}
                dialog={(close) => (
                  <AttachDialog
                    onClose={close}
                    pool={day.pool}
                    waivers={togetherWith(walkIn, day).map((each) => ({
                      id: each.waiverId,
                      name: nameOf(each),
                    }))}
                    day={day}
                  />
                )}
              />
            )}
          </PersonRow>
        ))}
      </ul>
    </Card>
  );
}

function togetherWith(walkIn: WalkIn, { walkIns }: Day): readonly WalkIn[] {
  const { signing, waiverId } = walkIn;
  const others = (walkIns ?? []).filter(
    (each) => signing !== null && each.signing === signing && each.waiverId !== waiverId,
  );
  return [walkIn, ...others];
}
