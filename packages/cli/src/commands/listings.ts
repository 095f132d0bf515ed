import { Command } from '@commander-js/extra-typings';
import { readCaller } from '../connection.js';
import { EXIT } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { table } from '../output/screen.js';
import { findPlace, pathOf, resolveProject, visibleTeams } from '../project.js';
import { NAME, nullable, objectWith, TEXT, usedRows } from '../schema.js';
import type { Act } from '../session.js';

/** `shipworthy teams`: the teams and projects the key can see. */
export const teamsCommand = (act: Act) =>
  new Command('teams').description('list the teams and projects the key can see').action(
    act(async ({ screen, connect }) => {
      const teams = await visibleTeams((await connect()).client);
      const rows = teams.flatMap(({ name, projects }) =>
        projects.length === 0
          ? [[name, '-', '-', '-']]
          : projects.map((project) => [name, project.name, project.active_release?.name ?? '-', project.id]),
      );
      if (rows.length === 0) screen.say('The key sees no team.');
      screen.answer(rows.length === 0 ? '' : table(['TEAM', 'PROJECT', 'ACTIVE RELEASE', 'PROJECT ID'], rows), teams);
      return EXIT.done;
    }),
  );

const RELEASE = objectWith({
  id: NAME,
  name: TEXT,
  state: TEXT,
  starts_at: nullable(TEXT),
  shipped_at: nullable(TEXT),
});

/** `shipworthy releases`: the project's releases, newest first. */
export const releasesCommand = (act: Act) =>
  new Command('releases').description("list the project's releases").action(
    act(async ({ screen, connect, settings }) => {
      const { client } = await connect();
      const project = await resolveProject(client, await settings());
      const pageAt = (cursor: string | undefined) =>
        client.listReleases({ path: pathOf(project), query: { limit: 200, ...(cursor && { cursor }) } });
      const releases = await collectRows(usedRows('GET P/releases', RELEASE, pageAt));
      const rows = releases.map(({ name, state, starts_at, shipped_at, id }) => [
        name,
        state,
        starts_at?.slice(0, 10) ?? '-',
        shipped_at?.slice(0, 10) ?? '-',
        id,
      ]);
      if (rows.length === 0) screen.say(`${project.name} has no release yet.`);
      screen.answer(rows.length === 0 ? '' : table(['RELEASE', 'STATE', 'STARTS', 'SHIPPED', 'ID'], rows), releases);
      return EXIT.done;
    }),
  );

/** All rows of a paged list, in order. */
const collectRows = async <Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> => {
  const gathered: Row[] = [];
  for await (const row of rows) gathered.push(row);
  return gathered;
};

/** `shipworthy whoami`: whose key this is, what it may do, and from where it was taken. */
export const whoamiCommand = (act: Act) =>
  new Command('whoami').description('say whose key this is, what it may do and until when').action(
    act(async ({ screen, connect, settings }) => {
      const { client, address } = await connect();
      const caller = await readCaller(client);
      const { name, scopes, teams, expires_at } = caller;
      const { apiUrl, apiKey } = await settings();
      const lines = [
        `${harmless(name)} at ${address} (address from ${apiUrl?.source.name}, key from ${apiKey?.source.name})`,
        `may ${scopes.join(', ')} until ${expires_at}`,
        ...teams.map((team) => `team ${harmless(team.name)}: ${team.role}`),
      ];
      const found = { address, address_from: apiUrl?.source.name, key_from: apiKey?.source.name };
      screen.answer(lines.join('\n'), { ...caller, ...found });
      return EXIT.done;
    }),
  );

/** `shipworthy open`: the scorecard in the browser. */
export const openCommand = (act: Act) =>
  new Command('open')
    .description('open the scorecard in the browser, and print its address')
    .option('--release <id-or-name>', 'the release; the active one unless given')
    .action(
      act(async ({ world, screen, connect, settings, globals }, { release }) => {
        const { scorecard } = await findPlace(await connect(), await settings(), release);
        const opened = globals.dryRun ? false : await world.openPage(scorecard);
        if (globals.dryRun) screen.say('Dry run: no browser is opened.');
        else if (!opened) screen.say('No browser could be opened; the address is:');
        screen.answer(scorecard, { url: scorecard, opened });
        return EXIT.done;
      }),
    );
