import { stat, truncate, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CallOptions, Client, ReadinessReport } from '@shipworthy/client';
import { VerdictError, type VerifiedVerdict, verifyVerdict } from '@shipworthy/client/verify';
import { recomputeVerdict } from '@shipworthy/domain/readiness';
import type { Connection } from '../connection.js';
import {
  EXIT,
  type ExitCode,
  Failure,
  isUnreadable,
  reasonOf,
  usageFailure,
  VERDICT_NOT_BELIEVED,
} from '../failure.js';
import { notRecomputable } from '../offline.js';
import { harmless } from '../output/safe-text.js';
import { clearTarget } from '../output/target-file.js';
import { findPlace } from '../project.js';
import { type CommandSession, requireNotEnded } from '../session.js';
import { allReadings, decisionWords, measuredAxes, scoreLine, verdictText } from '../verdict/show-score.js';
import { ASKED_ANEW, type AskedReport, type AskGateOnce, type Followed, followGate, gateAsker } from './follow-gate.js';

export interface GateOptions extends GateRules {
  /** Id or exact name; the active release unless given. */
  readonly release?: string | undefined;
  /** How long to wait for go, in milliseconds. */
  readonly waitMs: number;
  /** Where the signed verdict is written to. */
  readonly signed?: string | undefined;
  /** The commit that a signed verdict must be about. */
  readonly commit?: string | undefined;
}

const unwritable = (path: string, error: unknown): Failure =>
  usageFailure(`${path} cannot be written (${reasonOf(error)}).`);

/** Empties the file of the signed verdict: where this gate gets none, the next step must not find an earlier one. */
const forgetVerdict = async ({ world, globals }: CommandSession, { signed }: GateOptions): Promise<void> => {
  if (signed === undefined || globals.dryRun) return;
  const path = resolve(world.folder, signed);
  clearTarget(world.folder, path);
  // What is no file, such as a pipe, holds no earlier verdict.
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) return;
  await truncate(path).catch((error: unknown) => {
    throw unwritable(path, error);
  });
};

const writeVerdict = async (
  { world, screen, globals }: CommandSession,
  file: string,
  envelope: unknown,
): Promise<void> => {
  const path = resolve(world.folder, file);
  if (globals.dryRun) return screen.say(`Dry run: the signed verdict is not written to ${path}.`);
  clearTarget(world.folder, path);
  await writeFile(path, `${JSON.stringify(envelope)}\n`).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  screen.say(`The signed verdict is in ${path}. It was verified, and comes out again from its facts.`);
};

const sign = async (
  session: CommandSession,
  { client }: Connection,
  ask: AskGateOnce,
  asked: AskedReport,
  { signed, commit }: GateOptions,
): Promise<AskedReport> => {
  if (signed === undefined) return asked;
  const again = () => ask(undefined, session.globals.timeout * 1000);
  const read = await readSignedVerdict(client, asked, again, session.world.now);
  if (commit !== undefined) requireCommit(read.signed, commit);
  await writeVerdict(session, signed, read.signed.envelope);
  return read.asked;
};

const tellChange = ({ screen }: CommandSession, { asked, unavailable }: Followed): void => {
  if (unavailable !== undefined) screen.say(`cannot be asked: ${unavailable.message} Trying on.`);
  else screen.say(harmless(`${decisionWords(asked.report.gate)}: ${scoreLine(asked.report)}; waiting for go.`));
};

/** The result of asking the gate: its exit code, its text and its data. */
export interface GateAnswer {
  /**
   * The exit code of the command. 0: the gate says go, or it runs in shadow, or no server ever answered and `onUnavailable` is
   * `go`.
   */
  readonly exit: ExitCode;
  readonly text: string;
  readonly data: ReturnType<typeof gateData> | ReturnType<typeof unreadableAnswerData>;
}

const unreadableAnswer = ({ screen }: CommandSession, failure: Failure, rules: GateRules): GateAnswer => {
  screen.warn(`The answer of the ship gate could not be read. ${failure.message}`);
  for (const fault of failure.faults) screen.say(`  ${fault}`);
  screen.say(`In shadow: outside of it the exit code would be ${failure.exit}.`);
  return { exit: EXIT.done, text: 'unreadable', data: unreadableAnswerData(failure, rules) };
};

const verdictAnswer = ({ screen }: CommandSession, followed: Followed, rules: GateRules): GateAnswer => {
  const { asked, unavailable, ranOut } = followed;
  const exit = exitOfGate(followed, rules);
  if (unavailable !== undefined && !rules.shadow && exit !== EXIT.done) throw unavailable;
  if (unavailable !== undefined) {
    screen.warn(`The ship gate could not be asked: ${unavailable.message}`);
    if (exit === EXIT.done)
      screen.warn('GOING ON WITHOUT A VERDICT, as --on-unavailable go says. Nothing was checked.');
  }
  if (ranOut && exit === EXIT.waited) screen.say('The time to wait is over.');
  if (rules.shadow) screen.say(`In shadow: outside of it the exit code would be ${exit}.`);
  const text = unavailable === undefined ? verdictText(asked.report, asked.place.scorecard) : 'unavailable';
  return { exit: rules.shadow ? EXIT.done : exit, text, data: gateData(followed, rules) };
};

/**
 * Asks the ship gate, again and again for `waitMs` until it says go. Failure without a verdict: no server answered (exit 5,
 * unless `onUnavailable` is `go`), the answer could not be read (exit 5), the server refused the key (exit 4) or the release
 * (exit 2), or this command was interrupted (exit 129, 130, 143).
 */
export const askGate = async (session: CommandSession, options: GateOptions): Promise<GateAnswer> => {
  await forgetVerdict(session, options);
  const connection = await session.connect();
  const settings = await session.settings();
  const stop = new AbortController();
  session.ended.catch(() => stop.abort());
  const find = (limits: CallOptions) => findPlace(connection, settings, options.release, limits);
  const ask = gateAsker(connection, find, stop.signal);
  const followed = await followGate(ask, session.world, {
    waitMs: options.waitMs,
    timeoutMs: session.globals.timeout * 1000,
    signal: stop.signal,
    onChange: (change) => tellChange(session, change),
  }).catch((error: unknown) => {
    // With --signed the failure is thrown: the next step of the pipeline expects the file.
    if (options.shadow && options.signed === undefined && isUnreadable(error)) return error;
    throw error;
  });
  // An interrupt cuts a call short, which must not be taken for an outage.
  await requireNotEnded(session);
  if (followed instanceof Failure) return unreadableAnswer(session, followed, options);
  if (followed.unavailable !== undefined) return verdictAnswer(session, followed, options);
  const asked = await sign(session, connection, ask, followed.asked, options);
  return verdictAnswer(session, { ...followed, asked }, options);
};

/** Asks the ship gate, says the verdict, and answers its exit code. */
export const runGate = async (session: CommandSession, options: GateOptions): Promise<ExitCode> => {
  const { exit, text, data } = await askGate(session, options);
  session.screen.answer(text, data);
  return exit;
};

/** The decision when no server answers, and whether the gate runs in shadow. */
interface GateRules {
  readonly onUnavailable: 'hold' | 'go';
  readonly shadow: boolean;
}

/** Only the decision `go` ends with 0. */
const exitOfDecision = (decision: ReadinessReport['gate']['decision']): ExitCode => {
  if (decision === 'go') return EXIT.done;
  return decision === 'hold' ? EXIT.no : EXIT.unchecked;
};

/**
 * The exit code of a verdict outside shadow mode. `onUnavailable` counts only when the server never answered: once the gate has
 * answered something else than go, an outage that follows does not turn it into go.
 */
const exitOfGate = ({ asked, unavailable, ranOut }: Followed, { onUnavailable }: GateRules): ExitCode => {
  if (unavailable !== undefined) return onUnavailable === 'go' && asked === undefined ? EXIT.done : unavailable.exit;
  const { decision } = asked.report.gate;
  return ranOut && decision !== 'go' ? EXIT.waited : exitOfDecision(decision);
};

const failureData = ({ code, message, requestId }: Failure) => ({ code, message, request_id: requestId });
const NO_VERDICT = { decision: null, score: null, coverage: null } as const;

/** The `--json` data in shadow when the answer could not be read; `exit` is the exit code outside of shadow. */
const unreadableAnswerData = (failure: Failure, { shadow }: GateRules) => ({
  ...NO_VERDICT,
  unavailable: null,
  unreadable: failureData(failure),
  exit: failure.exit,
  shadow,
  waited_in_vain: false,
});

/** The `--json` data. `decision` is null when the server did not answer; `exit` is the exit code outside of shadow. */
const gateData = (followed: Followed, rules: GateRules) => {
  const { unavailable, ranOut } = followed;
  const told = { exit: exitOfGate(followed, rules), shadow: rules.shadow, waited_in_vain: ranOut };
  if (unavailable !== undefined)
    return { ...NO_VERDICT, unavailable: failureData(unavailable), unreadable: null, ...told };
  const { place, report } = followed.asked;
  const { gate, score, coverage, project, release, as_of, frozen_at } = report;
  return {
    ...gate,
    score,
    coverage,
    axes: measuredAxes(allReadings(report)),
    project,
    release,
    as_of,
    frozen_at: frozen_at ?? null,
    scorecard: place.scorecard,
    unavailable: null,
    unreadable: null,
    ...told,
  };
};

/** A signed verdict whose signature was verified, and which was recomputed from its facts with the same result. */
export interface SignedVerdict {
  /** The DSSE envelope as it was answered. */
  readonly envelope: unknown;
  readonly verified: VerifiedVerdict;
}

type Predicate = VerifiedVerdict['statement']['predicate'];

const TRIES = 5;
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
const requireFresh = (issuedAt: string, now: number): void => {
  if (Math.abs(now - Date.parse(issuedAt)) <= OLDEST_MS) return;
  throw notBelieved(
    `The verdict was signed at ${issuedAt}, and this machine's clock says ${new Date(now).toISOString()}.`,
    'shipworthy doctor server.clock says which clock is wrong; if none is, something on the way to the server keeps old answers.',
  );
};

/**
 * Whether the verdict and the answer agree. Comparing `as_of` is not enough: a release may change twice within a millisecond.
 */
const isSameResult = (result: Predicate['result'], { score, coverage, gate }: ReadinessReport): boolean =>
  result.decision === gate.decision &&
  result.decision_without_waivers === gate.decision_without_waivers &&
  result.score === score &&
  result.coverage === coverage;

/**
 * Returns the signed verdict with the gate's answer that it agrees with: `first`, or a later one where the release changed in
 * between. Failure (exit 5) for one that is not believed: forged, of another project, release or time.
 */
const readSignedVerdict = async (
  client: Client,
  first: AskedReport,
  askAgain: () => Promise<AskedReport>,
  now: () => number,
): Promise<{ readonly asked: AskedReport; readonly signed: SignedVerdict }> => {
  const { body: keys } = await client.readVerdictKeys({ headers: ASKED_ANEW });
  let asked = first;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { body } = await client.readGate({ path: asked.place.path, query: { signed: true }, headers: ASKED_ANEW });
    if (body.verdict === undefined) throw notBelieved('The server answers no signed verdict.');
    const verified = await verify(body.verdict, keys);
    const { as_of, issued_at, project, release, result } = verified.statement.predicate;
    if (release.id !== asked.place.release.id) throw notBelieved('The verdict is about another release.');
    if (project.id !== asked.place.project.id) throw notBelieved('The verdict is about another project.');
    requireFresh(issued_at, now());
    if (as_of === asked.report.as_of && isSameResult(result, asked.report))
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

/** The commit of the test runs that count; null: they name none, or several; undefined: no test run counts. */
const testedCommit = ({ facts, policy }: Predicate): string | null | undefined => {
  if (facts.verification === null || policy.weights.verification === 0) return undefined;
  return hashIn(facts.verification.commit_sha);
};

/** The commits of test runs and deployments in words, for a verdict about no single commit; empty without test runs. */
const evidenceCommitsText = (predicate: Predicate): string => {
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
    about === null || isSame(about, commit) ? `no single commit${evidenceCommitsText(predicate)};` : `commit ${about},`;
  throw new Failure(EXIT.unchecked, `The verdict is about ${subject} not about ${commit}.`, {
    code: 'other-commit',
    fixes: ['Report a deployment and a test run of that commit first, each with its commit; the newest ones count.'],
  });
};
