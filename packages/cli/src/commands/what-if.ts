import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { ReadinessReport } from '@shipworthy/client';
import type { WhatIfRequest } from '@shipworthy/client/contract';
import { assessRelease, changesOfRequest, whatIf } from '@shipworthy/domain/readiness';
import type { Act } from '../command.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { usageFailure } from '../failure.js';
import { ownReport } from '../offline/own-report.js';
import { faultyInput, readBasis } from '../offline/read-basis.js';
import { readJson } from '../offline/read-json.js';
import { dataOf, listOf, requireUsed, uses } from '../schema/used-members.js';
import type { Session } from '../session.js';
import { findPlace } from '../verdict/find-place.js';
import { requireReadings, WHAT_IF } from '../verdict/used-report.js';
import { requestOf, requireRequest } from '../what-if/changes.js';
import { type Thought, whatIfText } from '../what-if/what-if-text.js';
import { asList } from './option-values.js';

/** What is asked, once it is known how the release stands. */
type Question = (readAxes: () => Promise<ReadinessReport['axes']>) => Promise<WhatIfRequest>;

const offline = async ({ world }: Session, file: string, question: Question): Promise<Thought> => {
  const basis = await readBasis(world, file);
  const { facts, policy, asOf, waivers } = basis;
  const request = await question(async () => ownReport(assessRelease(facts, policy, asOf, waivers)).axes);
  const { answer, faults } = whatIf(basis, changesOfRequest(request));
  if (answer === null) throw faultyInput('The changed release', faults);
  return { report: ownReport(answer.report), before: answer.before };
};

const USED_AXES = dataOf(uses({ axes: listOf(uses({})) }));

const online = async (session: Session, release: string | undefined, question: Question): Promise<Thought> => {
  const connection = await session.connect();
  const { path } = await findPlace(connection, await session.settings(), release);
  const request = await question(async () => {
    const { body } = await connection.client.readReadiness({ path });
    requireUsed('GET R/readiness', USED_AXES, body);
    requireReadings('GET R/readiness', body.data.axes, '/data/axes');
    return body.data.axes;
  });
  const { body } = await connection.client.askWhatIf({ path, body: request });
  requireUsed('POST R/readiness/what-if', dataOf(WHAT_IF), body);
  return body.data;
};

const tell = ({ screen }: Session, thought: Thought): ExitCode => {
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

/** `shipworthy what-if`: how a release would stand if facts or demands were other ones. */
export const whatIfCommand = (act: Act) =>
  new Command('what-if')
    .description('ask how a release would stand if facts or demands were other ones')
    .option('--release <id-or-name>', 'the release; the active one unless given')
    .option('--close-issues <n>', 'so many more issues done', count)
    .option(
      '--set <name=value>',
      'a fact (scope.done=12) or a demand (policy.threshold=85) taken for another one; may be repeated',
      asList,
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
