import type { Client } from '@shipworthy/client';
import { VerdictError, type VerifiedVerdict, verifyVerdict } from '@shipworthy/client/verify';
import { recomputeVerdict } from '@shipworthy/domain/readiness';
import { EXIT } from '../exit-code.js';
import { Failure, VERDICT_NOT_BELIEVED } from '../failure.js';
import { notRecomputable } from '../offline.js';
import type { Asked } from './follow-gate.js';

/** A signed verdict that was verified, and came out again from its facts. */
export interface SignedVerdict {
  /** The DSSE envelope as it was answered. */
  readonly envelope: unknown;
  readonly verified: VerifiedVerdict;
}

const TRIES = 5;

const notBelieved = (message: string): Failure =>
  new Failure(EXIT.unchecked, message, { code: VERDICT_NOT_BELIEVED, fixes: ['Do not deploy by this verdict.'] });

const verify = async (envelope: unknown, keys: Parameters<typeof verifyVerdict>[1]): Promise<VerifiedVerdict> => {
  try {
    const verified = await verifyVerdict(envelope, keys);
    const again = recomputeVerdict(verified.statement.predicate);
    const unknown = notRecomputable(again);
    if (unknown !== undefined) throw unknown;
    if (again.outcome !== 'agrees') throw notBelieved('The verdict does not come out again from its own facts.');
    return verified;
  } catch (error) {
    if (error instanceof VerdictError) throw notBelieved(`The verdict cannot be verified: ${error.message}`);
    throw error;
  }
};

/** The signed verdict that says what was just asked, or together with what the gate says by now. */
export const readSignedVerdict = async (
  client: Client,
  first: Asked,
  askAgain: () => Promise<Asked>,
): Promise<{ readonly asked: Asked; readonly signed: SignedVerdict }> => {
  const { body: keys } = await client.readVerdictKeys({});
  let asked = first;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { body } = await client.readGate({ path: asked.place.path, query: { signed: true } });
    if (body.verdict === undefined) throw notBelieved('The server answers no signed verdict.');
    const verified = await verify(body.verdict, keys);
    const { as_of, release, result } = verified.statement.predicate;
    if (release.id !== asked.place.release.id) throw notBelieved('The verdict is about another release.');
    if (as_of === asked.report.as_of && result.decision === asked.report.gate.decision)
      return { asked, signed: { envelope: body.verdict, verified } };
    asked = await askAgain();
  }
  throw notBelieved('The release changes faster than its verdict can be read.');
};

/** Failure (exit 5) unless the verdict is about that commit. */
export const requireCommit = ({ verified }: SignedVerdict, commit: string): void => {
  const { predicate } = verified.statement;
  const { commit: told } = predicate;
  const about = typeof told === 'string' ? told.toLowerCase() : undefined;
  const wanted = commit.toLowerCase();
  if (about !== undefined && about.length >= 7 && (about.startsWith(wanted) || wanted.startsWith(about))) return;
  const subject = about === undefined ? 'no commit' : `commit ${about}`;
  throw new Failure(EXIT.unchecked, `The verdict is about ${subject}, not about ${commit}.`, {
    code: 'other-commit',
    fixes: ['Report a deployment or a test run of that commit first; the newest one says what the verdict is about.'],
  });
};
