import type { Waiver as WireWaiver } from '@shipworthy/client/contract';
import type { Waiver } from '@shipworthy/domain';
import { wireMoment, wireMomentOrNull } from './moment.js';

/** A waiver; `axis` only where its reason has one. */
export const wireWaiver = (waiver: Waiver): WireWaiver => ({
  id: waiver.id,
  code: waiver.code,
  ...(waiver.axis === null ? {} : { axis: waiver.axis }),
  text: waiver.text,
  actual: waiver.actual,
  created_by: waiver.createdBy,
  created_at: wireMoment(waiver.createdAt),
  expires_at: wireMoment(waiver.expiresAt),
  withdrawn_at: wireMomentOrNull(waiver.withdrawnAt),
  withdrawn_by: waiver.withdrawnBy,
});
