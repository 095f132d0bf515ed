import { invalid, type KnownReport, readReadinessAt } from '@shipworthy/domain';
import { entityTag } from '../http/etag.js';
import type { OperationOf, RouteContext } from '../http/route.js';
import { momentOf } from '../wire/moment.js';

/** What may stand beside `as_of` in a query, and contradicts it. */
interface Beside {
  readonly view?: 'live' | 'frozen' | undefined;
  readonly signed?: boolean | undefined;
}

const requireAlone = ({ view, signed }: Beside): void => {
  const surplus = [...(view === undefined ? [] : ['view']), ...(signed === true ? ['signed'] : [])];
  if (surplus.length === 0) return;
  throw invalid(
    surplus.map((pointer) => ({
      pointer,
      code: 'contradiction',
      message: `${pointer} cannot be asked for with as_of.`,
    })),
  );
};

/** The report as it was known at a past moment. Made anew each time: it never changes, so that one answer is enough. */
export const answerPast = async (
  asOf: string,
  beside: Beside,
  { ports, principal, place }: Pick<RouteContext<OperationOf<'readReadiness'>>, 'ports' | 'principal' | 'place'>,
  bodyOf: (known: KnownReport) => unknown,
) => {
  requireAlone(beside);
  const { teamId, projectId, releaseId } = place;
  const known = await readReadinessAt(ports)({ principal, teamId, projectId, releaseId, at: momentOf(asOf) });
  const text = JSON.stringify(bodyOf(known));
  return { status: 200, text, etag: entityTag(text) } as const;
};
