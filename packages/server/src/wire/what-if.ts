import type { WhatIfRequest, WhatIf as WireWhatIf } from '@shipworthy/client/contract';
import type { WhatIfReading } from '@shipworthy/domain';
import { changesOfRequest, type WhatIfChanges } from '@shipworthy/domain/readiness';
import { wireReport } from './readiness.js';

/** What is changed in thought; what is not sent is not named. */
export const changesOf = (request: WhatIfRequest): WhatIfChanges => changesOfRequest(request);

/** How the release would stand, and how it stands. */
export const wireWhatIf = ({ before, ...judged }: WhatIfReading): WireWhatIf => ({
  report: wireReport({ ...judged, frozenAt: null }),
  before: { score: before.score, coverage: before.coverage, decision: before.decision },
});
