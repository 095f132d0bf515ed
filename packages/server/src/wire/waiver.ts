import type { Waiver as WireWaiver } from '@shipworthy/client/contract';
import { type Waiver, waiverForm } from '@shipworthy/domain/readiness';

/** A waiver; `axis` only where its reason has one. */
export const wireWaiver = (waiver: Waiver): WireWaiver => waiverForm(waiver);
