import type { SilentSource as WireSilentSource } from '@shipworthy/client/contract';
import { type SilentSource, silentSourceForm } from '@shipworthy/domain/readiness';

/** A source from which nothing came for too long. */
export const wireSilentSource = (source: SilentSource): WireSilentSource => silentSourceForm(source);
