import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { runImport } from '../import/run-import.js';
import type { Act } from '../session.js';
import { asMomentOrNow, collected } from './option-values.js';

const delimiter = (text: string): string => {
  const meant = text === '\\t' || text === 'tab' ? '\t' : text;
  if ([...meant].length !== 1 || meant === '"' || meant === '\n')
    throw new InvalidArgumentError('Give one character, or tab.');
  return meant;
};

const FILES = `
A file has a header that names fields (CSV), or one JSON object a line (NDJSON); - is standard input. An empty cell
says nothing. Times are RFC 3339, as 2026-11-21T09:30:00Z. A row without external_id gets one that follows from
its content, so that the same file can be sent again: what is there already is not stored twice. A row that does not
say when it was (started_at, ran_at) is refused, unless --started-at or --ran-at says it for such rows.

Exit codes: 0 all went in; 2 rows were refused, or the file is at fault; 4 the key; 5 the server went away.`;

const fileCommand = (name: 'deployments' | 'test-runs', description: string) =>
  new Command(name)
    .description(description)
    .argument('<file>', 'CSV or NDJSON; - for standard input')
    .addOption(
      new Option('--format <format>', 'told by name and content unless given').choices(['csv', 'ndjson'] as const),
    )
    .option('--delimiter <character>', 'of CSV; told by the header unless given', delimiter)
    .option(
      '--map <field=column>',
      'the column a field is taken from, where it is not called so; may be repeated',
      collected,
      [],
    )
    .option('--ignore-others', 'leave columns out that no field takes')
    .option('--refused <file>', 'write refused rows there as NDJSON, each with its line and reasons')
    .addHelpText('after', FILES);

const deploymentsCommand = (act: Act) =>
  fileCommand('deployments', 'import past deployments')
    .option('--started-at <moment>', 'of rows that do not say when they began; may be now', asMomentOrNow)
    .action(
      act(async (session, file, { ignoreOthers = false, startedAt, ...rest }) =>
        runImport(session, 'deployments', file, { ...rest, ignoreOthers, when: startedAt }),
      ),
    );

const testRunsCommand = (act: Act) =>
  fileCommand('test-runs', 'import past test runs')
    .option('--release <id-or-name>', 'the release of rows that name none; the active one unless given')
    .option('--ran-at <moment>', 'of rows that do not say when they ran; may be now', asMomentOrNow)
    .action(
      act(async (session, file, { ignoreOthers = false, ranAt, ...rest }) =>
        runImport(session, 'test-runs', file, { ...rest, ignoreOthers, when: ranAt }),
      ),
    );

/** `shipworthy import`: the past, from files. */
export const importCommand = (act: Act) =>
  new Command('import')
    .description('import past deployments and test runs from a file')
    .addCommand(deploymentsCommand(act))
    .addCommand(testRunsCommand(act));
