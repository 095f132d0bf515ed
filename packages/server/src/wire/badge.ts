import type { Badge as WireBadge, BadgeState as WireBadgeState } from '@shipworthy/client/contract';
import type { Badge, BadgeOptIn } from '@shipworthy/domain';
import { wireMomentOrNull } from './moment.js';

/** White text on each of them has a contrast of 4.5 or more. */
const COLORS = { go: '#1a7f37', hold: '#b42318', unknown: '#57606a' } as const;

/** A badge in the endpoint schema of shields.io. */
export const wireBadge = ({ message, decision }: Badge): WireBadge => ({
  schemaVersion: 1,
  label: 'readiness',
  message,
  color: COLORS[decision ?? 'unknown'],
});

/** Whether a badge is shown; never with its token, of which only a hash is kept. */
export const wireBadgeState = (optIn: BadgeOptIn | undefined): WireBadgeState => ({
  shown: optIn !== undefined,
  shown_at: wireMomentOrNull(optIn?.createdAt ?? null),
  shown_by: optIn?.createdBy ?? null,
});
