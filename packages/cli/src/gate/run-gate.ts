import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CallOptions, ReadinessReport } from '@shipworthy/client';
import type { Connection } from '../connection.js';
import { EXIT, type ExitCode, Failure, isUnreadable, reasonOf, unreadableFailure, usageFailure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { clearTarget } from '../output/target-file.js';
import { findPlace, type Place } from '../project.js';
import { dataEnvelope, requireUsed } from '../schema.js';
import { type CommandSession, requireNotEnded } from '../session.js';
import { allReadings, decisionWords, measuredAxes, scoreLine, verdictText } from '../verdict/show-score.js';
import { REPORT } from '../verdict/used-report.js';
import { type Ask, type Asked, type Followed, followGate } from './follow-gate.js';
import { ASKED_ANEW, readSignedVerdict, requireCommit } from './signed-verdict.js';

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

const asking = (connection: Connection, find: (limits: CallOptions) => Promise<Place>, signal: AbortSignal): Ask => {
  let place: Place | undefined;
  return async (before, timeoutMs) => {
    place ??= await find({ signal, headers: ASKED_ANEW });
    const { path } = place;
    const answer = await connection.client.readReadiness({
      path,
      signal,
      timeoutMs,
      headers: ASKED_ANEW,
      ifNoneMatch: before?.etag ?? undefined,
    });
    if (!answer.unchanged) return { place, report: readReport(place, answer.body), etag: answer.etag };
    // The client refuses an unchanged answer to a request without an ETag.
    if (before === undefined) throw new Error('Unchanged since nothing was read.');
    return before;
  };
};

const ROUTE = 'GET R/readiness';

/** The report of that release. Failure (exit 5) where a member is amiss that is used, or another release or project is answered. */
const readReport = ({ project, release }: Place, body: { readonly data: ReadinessReport }): ReadinessReport => {
  requireUsed(ROUTE, dataEnvelope(REPORT), body);
  if (body.data.release.id !== release.id) throw unreadableFailure(ROUTE, ['/data/release/id: is of another release']);
  if (body.data.project.id !== project.id) throw unreadableFailure(ROUTE, ['/data/project/id: is of another project']);
  return body.data;
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
    throw usageFailure(`${path} cannot be written (${reasonOf(error)}).`);
  });
  screen.say(`The signed verdict is in ${path}. It was verified, and comes out again from its facts.`);
};

const sign = async (
  session: CommandSession,
  { client }: Connection,
  ask: Ask,
  asked: Asked,
  { signed, commit }: GateOptions,
): Promise<Asked> => {
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
  /** 0 when the gate says go, in shadow, and without a server when `onUnavailable` is `go`. */
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
  const connection = await session.connect();
  const settings = await session.settings();
  const stop = new AbortController();
  session.ended.catch(() => stop.abort());
  const find = (limits: CallOptions) => findPlace(connection, settings, options.release, limits);
  const ask = asking(connection, find, stop.signal);
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

/** What `--json` carries in shadow when the answer could not be read; `exit` is what the gate ends with outside of shadow. */
const unreadableAnswerData = (failure: Failure, { shadow }: GateRules) => ({
  ...NO_VERDICT,
  unavailable: null,
  unreadable: failureData(failure),
  exit: failure.exit,
  shadow,
  waited_in_vain: false,
});

/** What `--json` carries. `decision` is null when the server did not answer; `exit` is what the gate ends with outside of shadow. */
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
