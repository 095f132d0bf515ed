import { Command } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { EXIT } from '../exit-code.js';
import { table } from '../output/screen.js';
import { visibleTeams } from '../project.js';

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
