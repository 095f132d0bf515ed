import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { ReadinessReport, WhatIf } from '@shipworthy/client';
import { type WhatIfRequest as Request, WhatIfRequest } from '@shipworthy/client/contract';
import { assessRelease, changesOfRequest, whatIf } from '@shipworthy/domain/readiness';
import { EXIT, type ExitCode, usageFailure } from '../failure.js';
import { faultyInput, type LocalReport, localReport, readBasis, readJson } from '../offline.js';
import { harmless } from '../output/safe-text.js';
import { findPlace } from '../project.js';
import { dataEnvelope, listOf, objectWith, requireUsed, schemaFaults } from '../schema.js';
import type { Act, CommandSession } from '../session.js';
import { decisionWords, gateLines, requireReadings, scoreLine, shownScore, WHAT_IF } from '../verdict/show-score.js';
import { collected } from './option-values.js';

/** Makes the request from the present report of the release. */
type Question = (readAxes: () => Promise<ReadinessReport['axes']>) => Promise<WhatIfRequest>;

const offline = async ({ world }: CommandSession, file: string, question: Question): Promise<WhatIfResult> => {
  const basis = await readBasis(world, file);
  const { facts, policy, asOf, waivers } = basis;
  const request = await question(async () => localReport(assessRelease(facts, policy, asOf, waivers)).axes);
  const { answer, faults } = whatIf(basis, changesOfRequest(request));
  if (answer === null) throw faultyInput('The changed release', faults);
  return { report: localReport(answer.report), before: answer.before };
};

const USED_AXES = dataEnvelope(objectWith({ axes: listOf(objectWith({})) }));

const online = async (
  session: CommandSession,
  release: string | undefined,
  question: Question,
): Promise<WhatIfResult> => {
  const connection = await session.connect();
  const { path } = await findPlace(connection, await session.settings(), release);
  const request = await question(async () => {
    const { body } = await connection.client.readReadiness({ path });
    requireUsed('GET R/readiness', USED_AXES, body);
    requireReadings('GET R/readiness', body.data.axes, '/data/axes');
    return body.data.axes;
  });
  const { body } = await connection.client.askWhatIf({ path, body: request });
  requireUsed('POST R/readiness/what-if', dataEnvelope(WHAT_IF), body);
  return body.data;
};

const tell = ({ screen }: CommandSession, thought: WhatIfResult): ExitCode => {
  screen.answer(whatIfText(thought), thought);
  return EXIT.done;
};

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('Give how many, 1 or more.');
  return Number(text);
};

const EXAMPLES = `
Examples:
  shipworthy what-if --close-issues 3
  shipworthy what-if --set ops.done=3 --set verification.passed=412 --set verification.total=412
  shipworthy what-if --set policy.threshold=85 --set policy.weights.ops=2
  shipworthy what-if --facts verdict.json --from changes.json
What is not set stays as it is. Nothing is changed by asking.`;

/** `shipworthy what-if`: the report of a release under other facts or demands. */
export const whatIfCommand = (act: Act) =>
  new Command('what-if')
    .description('ask what the report of a release would be with other facts or another policy')
    .option('--release <id-or-name>', 'the release; the active one unless given')
    .option('--close-issues <n>', 'so many more issues done', count)
    .option(
      '--set <name=value>',
      'a fact (scope.done=12) or a demand (policy.threshold=85) taken for another one; may be repeated',
      collected,
    )
    .addOption(
      new Option('--from <changes.json>', 'the question as the interface takes it (- for standard input)').conflicts([
        'set',
        'closeIssues',
      ]),
    )
    .addOption(
      new Option('--facts <facts.json>', 'ask about a file of facts or a signed verdict, without any server').conflicts(
        'release',
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(
      act(async (session, { release, closeIssues, set = [], from, facts }) => {
        if (from === undefined && closeIssues === undefined && set.length === 0)
          throw usageFailure('Nothing is asked.', 'Give --close-issues, --set or --from.');
        if (from === '-' && facts === '-') throw usageFailure('Only one of --from and --facts can be standard input.');
        const question: Question = async (readAxes) => {
          if (from === undefined) return requestOf(await readAxes(), set, closeIssues);
          const { name, value } = await readJson(session.world, from);
          return requireRequest(name, value);
        };
        const thought = facts === undefined ? online(session, release, question) : offline(session, facts, question);
        return tell(session, await thought);
      }),
    );

type Members = Readonly<Record<string, unknown>>;

const AXES = Object.keys(WhatIfRequest.properties.facts.properties);

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The facts of an axis that may be changed; null where it has none. Facts that follow from others, names, and facts
 * that a later server adds are left out.
 */
const changeable = (reading: ReadinessReport['axes'][number]): unknown => {
  if (reading.facts === undefined) return null;
  switch (reading.axis) {
    case 'scope':
    case 'ops':
      return { done: reading.facts.done, total: reading.facts.total };
    case 'quality': {
      const { resolved, total, open } = reading.facts;
      const { critical, major, minor, unspecified } = open;
      return { resolved, total, open: { critical, major, minor, unspecified } };
    }
    case 'verification':
      return { passed: reading.facts.passed, total: reading.facts.total };
    case 'stability': {
      const { succeeded, failed, in_progress } = reading.facts;
      return { succeeded, failed, in_progress };
    }
    default:
      // Only a later server has this axis: nothing can be asked about it here.
      return undefined;
  }
};

const readValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const withMember = (value: unknown, path: readonly string[], member: unknown): unknown => {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  const members = isObject(value) ? value : {};
  return { ...members, [name]: withMember(members[name], rest, member) };
};

interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
}

const settingOf = (text: string): Setting => {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const path = name.split('.');
  const [root = ''] = path;
  if (!path.includes('') && (AXES.includes(root) || (root === 'policy' && path.length > 1)))
    return { path, value: readValue(value) };
  throw usageFailure(
    `--set ${text} names nothing that can be changed.`,
    `Write AXIS.FACT=NUMBER, such as scope.done=12 (axes: ${AXES.join(', ')}), or policy.DEMAND=VALUE, such as policy.threshold=85.`,
  );
};

/** Returns the value as a request. Failure (exit 2) naming every fault where it does not fit the schema. */
const requireRequest = (name: string, value: unknown): Request => {
  const faults = schemaFaults(WhatIfRequest, value);
  if (faults.length > 0) throw faultyInput(name, faults);
  // The schema was checked above.
  return value as Request;
};

/**
 * Makes the request from settings such as `scope.done=12` or `policy.threshold=85`, and from a number of issues to
 * close. It holds all facts of an axis: those that are not set stay as they are. Failure (exit 2) naming every fault.
 */
export const requestOf = (
  axes: ReadinessReport['axes'],
  settings: readonly string[],
  closeIssues: number | undefined,
): Request => {
  const now = Object.fromEntries(axes.map((reading) => [reading.axis, changeable(reading)]));
  const scope = axes.find((reading) => reading.axis === 'scope');
  const closed: readonly Setting[] =
    closeIssues === undefined ? [] : [{ path: ['scope', 'done'], value: (scope?.facts?.done ?? 0) + closeIssues }];
  let request: Members = {};
  for (const { path, value } of [...closed, ...settings.map(settingOf)]) {
    const [root = ''] = path;
    if (root === 'policy') request = { ...request, policy: withMember(request.policy, path.slice(1), value) };
    else {
      const facts = { [root]: now[root], ...(isObject(request.facts) ? request.facts : {}) };
      request = { ...request, facts: withMember(facts, path, value) };
    }
  }
  return requireRequest('What is set', request);
};

/** The report under the assumptions and the present one, from the service or from the engine in this process. */
interface WhatIfResult {
  readonly report: LocalReport & Partial<Pick<ReadinessReport, 'project' | 'release'>>;
  readonly before: WhatIf['before'];
}

/** The score before and after, one line each, then the reasons that remain. */
const whatIfText = ({ report, before }: WhatIfResult): string => {
  const score = before.score === null ? 'no score' : shownScore(before.score);
  return [
    `before: ${before.decision}, ${score} (coverage ${Math.floor(before.coverage * 100)} %)`,
    harmless(`after:  ${decisionWords(report.gate)}, ${scoreLine(report)}`),
    ...gateLines(report.gate),
  ].join('\n');
};
