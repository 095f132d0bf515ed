import type { AxisReading as WireReading } from '@shipworthy/client/contract';
import { type AxisReading, readingForm, type VerificationFacts, verificationForm } from '@shipworthy/domain/readiness';

/** The test run that counts. */
export const verificationFacts = (facts: VerificationFacts) => verificationForm(facts);

/** What one axis yields; without `facts` where nothing at all is known, with `as_of` only where it is not now. */
export const wireReading = (reading: AxisReading): WireReading =>
  // Which facts go with which axis is told by the axis alone, which the type of the union cannot follow.
  readingForm(reading) as WireReading;
