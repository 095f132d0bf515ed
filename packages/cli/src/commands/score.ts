import { Command, Option } from '@commander-js/extra-typings';
import { assessRelease } from '@shipworthy/domain/readiness';
import { EXIT, type ExitCode } from '../failure.js';
import { localReport, readBasis } from '../offline.js';
import { findPlace } from '../project.js';
import { dataEnvelope, requireUsed } from '../schema.js';
import type { Act, CommandSession } from '../session.js';
import { REPORT, requireExplained, scoreText } from '../verdict/show-score.js';

const ROUTE = 'GET R/readiness';

const fromFile = async ({ world, screen }: CommandSession, file: string, explain: boolean): Promise<ExitCode> => {
  const { facts, policy, asOf, waivers } = await readBasis(world, file);
  const report = localReport(assessRelease(facts, policy, asOf, waivers));
  screen.answer(scoreText(report, null, explain), report);
  return EXIT.done;
};

/** `shipworthy score`: how ready a release is, by the server, or from facts by the engine in this process. */
export const scoreCommand = (act: Act) =>
  new Command('score')
    .description('say how ready a release is, and why')
    .option('--release <id-or-name>', 'the release; the active one unless given')
    .option('--explain', 'the five axes, their weights, and the arithmetic')
    .addOption(
      new Option(
        '--from <facts.json>',
        'judge a file of facts or a signed verdict (- for standard input), without any server',
      ).conflicts('release'),
    )
    .action(
      act(async (session, { release, explain = false, from }) => {
        if (from !== undefined) return fromFile(session, from, explain);
        const connection = await session.connect();
        const { path, scorecard } = await findPlace(connection, await session.settings(), release);
        const { body } = await connection.client.readReadiness({ path });
        requireUsed(ROUTE, dataEnvelope(REPORT), body);
        if (explain) requireExplained(ROUTE, body.data);
        session.screen.answer(scoreText(body.data, scorecard, explain), body.data);
        return EXIT.done;
      }),
    );
