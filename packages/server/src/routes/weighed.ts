import { runTime } from '@shipworthy/adapters/clock';
import type { Principal } from '@shipworthy/domain';

/** An acknowledged report waits so long for its contribution, in milliseconds of run time; far less than a request may take. */
export const WEIGHED_WITHIN_MS = 2_000;

/** Whether an answer says what its record does to the score: to whoever asks and may read scores. A key that only reports may not. */
export const isWeighed = (asked: boolean | undefined, { scopes }: Pick<Principal, 'scopes'>): boolean =>
  asked === true && scopes.includes('read');

/** What is added to the answer of a stored record: what the record does to the score. */
export interface Weighing<View> {
  /** The view with the contributions as they are now. */
  weigh(view: View): Promise<View>;
  /** The view of the record of that id with the contributions as they are now. */
  again(id: string): Promise<View>;
}

/** What the work answers; undefined when it fails or takes too long. The record is stored by then: nothing may undo the answer. */
export const unlessItFails = async <Result>(
  work: () => Promise<Result>,
  milliseconds = WEIGHED_WITHIN_MS,
): Promise<Result | undefined> => {
  try {
    return await runTime.within<Result | undefined>(milliseconds, work(), () => undefined);
  } catch {
    return undefined;
  }
};

interface Line {
  readonly id: string;
  readonly counts: boolean;
  readonly contribution?: unknown;
}

/** The text of an answer that holds one record with its receipt. */
interface Answered {
  readonly data: { readonly id: string; readonly attribution: { readonly releases: readonly Line[] } };
}

/** The id of the record in the text of an answer. */
export const idIn = (text: string): string => (JSON.parse(text) as Answered).data.id;

/** The first answer as it was, with the contributions that a later one has for the releases it counted for. */
export const withContributionsOf = (first: string, later: string): string => {
  const { data } = JSON.parse(first) as Answered;
  const now = new Map((JSON.parse(later) as Answered).data.attribution.releases.map((line) => [line.id, line]));
  const releases = data.attribution.releases.map((line) => {
    const contribution = line.counts ? now.get(line.id)?.contribution : undefined;
    return contribution === undefined ? line : { ...line, contribution };
  });
  return JSON.stringify({ data: { ...data, attribution: { ...data.attribution, releases } } });
};
