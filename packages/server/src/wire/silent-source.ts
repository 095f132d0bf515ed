import type { SilentSource as WireSilentSource } from '@shipworthy/client/contract';
import type { SilentSource } from '@shipworthy/domain';
import { wireMoment } from './moment.js';

const HOUR = 3_600_000;

export const wireSilentSource = ({ source, lastAt, limitMs, basis, since }: SilentSource): WireSilentSource => ({
  source,
  last_at: wireMoment(lastAt),
  limit_hours: limitMs / HOUR,
  basis,
  since: wireMoment(since),
});
