import { readWhatIf } from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { changesOf, wireWhatIf } from '../wire/what-if.js';

const ask: Route<OperationOf<'askWhatIf'>> = async ({ body }, { ports, principal, place }) => {
  const { teamId, projectId, releaseId } = place;
  const reading = await readWhatIf(ports)({ principal, teamId, projectId, releaseId, changes: changesOf(body) });
  return { status: 200, body: { data: wireWhatIf(reading) } };
};

/** How a release would stand if facts or demands were other ones. */
export const whatIfRoutes = { askWhatIf: ask } as const satisfies Partial<Routes>;
