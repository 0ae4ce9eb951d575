import { useMemo } from 'react';
import { encode } from 'uqr';
import styles from './qr-code.module.css';

interface QrCodeProps {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
}

/** Dark on light in every theme, with the margin that cameras need. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: 4 }), [text]);
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('');
  return (
    <svg
      className={styles.code}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect className={styles.paper} width={size} height={size} />
      <path className={styles.ink} d={path} />
    </svg>
  );
}
