/** How much of a hundred; the number itself stands beside it. */
export const Meter = ({ value, look }: { readonly value: number; readonly look?: 'go' | 'hold' | undefined }) => (
  <span class={look === undefined ? 'meter' : `meter ${look}`} aria-hidden="true">
    <span style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
  </span>
);
