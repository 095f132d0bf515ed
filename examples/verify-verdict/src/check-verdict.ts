import { type VerdictKeys, type VerdictStatement, verifyVerdict } from '@shipworthy/client/verify';
import { recomputeVerdict } from '@shipworthy/domain/readiness';

/** A verdict that was signed by a trusted key and follows from the facts it carries. */
export interface CheckedVerdict {
  readonly statement: VerdictStatement;
  readonly keyid: string;
}

/** Checks signature and result; trusts only the keys. @throws VerdictError, or Error when the facts disagree */
export const checkVerdict = async (envelope: unknown, keys: VerdictKeys): Promise<CheckedVerdict> => {
  const { statement, keyid } = await verifyVerdict(envelope, keys);
  const again = recomputeVerdict(statement.predicate);
  if (again.outcome !== 'agrees') throw new Error(`The verdict does not come out again: ${JSON.stringify(again)}`);
  return { statement, keyid };
};

/** Whether the verdict is about this commit. */
export const isAbout = ({ statement }: CheckedVerdict, commit: string): boolean =>
  statement.subject.some(({ digest }) => digest.gitCommit === commit.toLowerCase());
