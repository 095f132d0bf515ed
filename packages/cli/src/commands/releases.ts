import { Command } from '@commander-js/extra-typings';
import type { Act } from '../command.js';
import { EXIT } from '../exit-code.js';
import { table } from '../output/screen.js';
import { pathOf, resolveProject } from '../project.js';
import { NAME, nullable, TEXT, usedRows, uses } from '../schema.js';

const RELEASE = uses({ id: NAME, name: TEXT, state: TEXT, starts_at: nullable(TEXT), shipped_at: nullable(TEXT) });

/** `shipworthy releases`: the project's releases, newest first. */
export const releasesCommand = (act: Act) =>
  new Command('releases').description("list the project's releases").action(
    act(async ({ screen, connect, settings }) => {
      const { client } = await connect();
      const project = await resolveProject(client, await settings());
      const listed = client.pages.listReleases({ path: pathOf(project), query: { limit: 200 } });
      const releases = await gather(usedRows('GET P/releases', RELEASE, listed));
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
export const gather = async <Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> => {
  const gathered: Row[] = [];
  for await (const row of rows) gathered.push(row);
  return gathered;
};
