import type { Badge as WireBadge } from '@shipworthy/client/contract';
import type { Badge } from '@shipworthy/domain';

/** White text on each of them has a contrast of 4.5 or more. */
const COLORS = { go: '#1a7f37', hold: '#b42318', unknown: '#57606a' } as const;

/** A badge in the endpoint schema of shields.io. */
export const wireBadge = ({ message, decision }: Badge): WireBadge => ({
  schemaVersion: 1,
  label: 'readiness',
  message,
  color: COLORS[decision ?? 'unknown'],
});
