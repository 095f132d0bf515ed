import type { Client } from '@shipworthy/client';
import { VerdictError, type VerifiedVerdict, verifyVerdict } from '@shipworthy/client/verify';
import { recomputeVerdict } from '@shipworthy/domain/readiness';
import { EXIT, Failure, VERDICT_NOT_BELIEVED } from '../failure.js';
import { notRecomputable } from '../offline.js';
import type { Asked } from './follow-gate.js';

/** A signed verdict that was verified, and came out again from its facts. */
export interface SignedVerdict {
  /** The DSSE envelope as it was answered. */
  readonly envelope: unknown;
  readonly verified: VerifiedVerdict;
}

type Predicate = VerifiedVerdict['statement']['predicate'];

const TRIES = 5;
/** Headers of what the gate asks: a proxy may have stored an answer of another day. */
export const ASKED_ANEW = { 'cache-control': 'no-cache' } as const;
/** A verdict is signed within the minute before it is handed out; the rest is for clocks that differ, in milliseconds. */
const OLDEST_MS = 15 * 60_000;

const notBelieved = (message: string, ...fixes: readonly string[]): Failure =>
  new Failure(EXIT.unchecked, message, {
    code: VERDICT_NOT_BELIEVED,
    fixes: ['Do not deploy by this verdict.', ...fixes],
  });

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

/** Failure (exit 5) for a verdict that was signed long ago: a proxy that stores answers could hand out an old `go`. */
const requireYoung = (issuedAt: string, now: number): void => {
  if (Math.abs(now - Date.parse(issuedAt)) <= OLDEST_MS) return;
  throw notBelieved(
    `The verdict was signed at ${issuedAt}, and this machine's clock says ${new Date(now).toISOString()}.`,
    'shipworthy doctor server.clock says which clock is wrong; if none is, something on the way to the server keeps old answers.',
  );
};

/**
 * Returns the signed verdict with the gate's answer that it agrees with: `first`, or a later one where the release changed in
 * between. Failure (exit 5) for one that is not believed: forged, of another project, release or time.
 */
export const readSignedVerdict = async (
  client: Client,
  first: Asked,
  askAgain: () => Promise<Asked>,
  now: () => number,
): Promise<{ readonly asked: Asked; readonly signed: SignedVerdict }> => {
  const { body: keys } = await client.readVerdictKeys({ headers: ASKED_ANEW });
  let asked = first;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { body } = await client.readGate({ path: asked.place.path, query: { signed: true }, headers: ASKED_ANEW });
    if (body.verdict === undefined) throw notBelieved('The server answers no signed verdict.');
    const verified = await verify(body.verdict, keys);
    const { as_of, issued_at, project, release, result } = verified.statement.predicate;
    if (release.id !== asked.place.release.id) throw notBelieved('The verdict is about another release.');
    if (project.id !== asked.place.project.id) throw notBelieved('The verdict is about another project.');
    requireYoung(issued_at, now());
    if (as_of === asked.report.as_of && result.decision === asked.report.gate.decision)
      return { asked, signed: { envelope: body.verdict, verified } };
    asked = await askAgain();
  }
  throw notBelieved('The release changes faster than its verdict can be read.');
};

const hashIn = (told: unknown): string | null => (typeof told === 'string' ? told.toLowerCase() : null);

const isSame = (told: string | null, commit: string): boolean => {
  const wanted = commit.toLowerCase();
  return told !== null && told.length >= 7 && (told.startsWith(wanted) || wanted.startsWith(told));
};

/** The commit of the test runs that count; null: they name none, or several; undefined: nothing rests on test runs. */
const testedCommit = ({ facts, policy }: Predicate): string | null | undefined => {
  if (facts.verification === null || policy.weights.verification === 0) return undefined;
  return hashIn(facts.verification.commit_sha);
};

/** Which commits the evidence is of, in words, where that is why the verdict is about none. */
const evidenceText = (predicate: Predicate): string => {
  const tested = testedCommit(predicate);
  if (tested === undefined) return '';
  const deployed = hashIn(predicate.evidence_commits?.deployed ?? predicate.commit);
  const tests = tested === null ? 'its test runs name no commit, or several' : `its test runs are of ${tested}`;
  return `: ${tests}${deployed === null ? '' : `, its newest deployment is of ${deployed}`}`;
};

/** Failure (exit 5) unless the verdict is about that commit, and its test runs are of no other one. */
export const requireCommit = ({ verified }: Pick<SignedVerdict, 'verified'>, commit: string): void => {
  const { predicate } = verified.statement;
  const about = hashIn(predicate.commit);
  const tested = testedCommit(predicate);
  // Earlier servers name the deployed commit even where the tests ran on another commit.
  if (isSame(about, commit) && (tested === undefined || isSame(tested, commit))) return;
  const subject =
    about === null || isSame(about, commit) ? `no single commit${evidenceText(predicate)};` : `commit ${about},`;
  throw new Failure(EXIT.unchecked, `The verdict is about ${subject} not about ${commit}.`, {
    code: 'other-commit',
    fixes: ['Report a deployment and a test run of that commit first, each with its commit; the newest ones count.'],
  });
};
