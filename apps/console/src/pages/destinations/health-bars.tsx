import { texts } from '../../text/english.ts';
import styles from './health-bars.module.css';
import type { HealthBuckets } from './health-buckets.ts';
import { sumOf } from './health-buckets.ts';

const height = 24;
const width = 4;
const gap = 1;

/** A bar for each hour: accepted attempts below, failed ones above, relative to the destination's busiest hour. */
export function HealthBars({ buckets }: { readonly buckets: HealthBuckets }) {
  const { delivered, failed } = buckets;
  const total = sumOf(delivered) + sumOf(failed);
  if (total === 0) return <span className="muted">{texts.destinations.quiet}</span>;
  const most = Math.max(...delivered.map((value, hour) => value + (failed[hour] ?? 0)));
  // At least 2, so that even a small share stays visible.
  const part = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * height));
  const label = texts.destinations.healthOf(sumOf(delivered), sumOf(failed));
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.bars}
      width={delivered.length * (width + gap)}
      height={height}
    >
      <title>{label}</title>
      {delivered.map((taken, hour) => {
        const bad = part(failed[hour] ?? 0);
        const good = Math.min(part(taken), height - bad);
        const x = hour * (width + gap);
        return (
          <g key={hour}>
            <rect x={x} y={height - 1} width={width} height={1} className={styles.base} />
            <rect x={x} y={height - good} width={width} height={good} className={styles.good} />
            <rect x={x} y={height - good - bad} width={width} height={bad} className={styles.bad} />
          </g>
        );
      })}
    </svg>
  );
}
