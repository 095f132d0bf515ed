import type { NotCounted as NotCountedRow } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { inProject, type ProjectPlace, projectAddress, projectKey } from '../../navigation/places.js';
import { Choice } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { Empty } from '../../parts/page.js';
import { Commit, DeploymentStatusLabel } from '../../parts/records.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { countOf, countText } from '../../wording/numbers.js';
import { whyNot } from './deployment-words.js';

export type Kind = 'deployment' | 'test_run';

const KINDS = [
  ['deployment', 'Deployments'],
  ['test_run', 'Test runs'],
] as const;
const NAMES: Readonly<Record<Kind, string>> = { deployment: 'deployments', test_run: 'test runs' };

const What = ({ row }: { readonly row: NotCountedRow }) =>
  'deployment' in row ? (
    <>
      <DeploymentStatusLabel of={row.deployment} /> in {row.deployment.environment}
      <div class="small">
        <Commit sha={row.deployment.commit_sha} />
      </div>
    </>
  ) : (
    <>
      {countText(row.test_run.passed)} of {countOf(row.test_run.total, 'test')} passed
      {row.test_run.suite === null ? null : <div class="small soft">{row.test_run.suite}</div>}
    </>
  );

const Row = ({ row, place }: { readonly row: NotCountedRow; readonly place: ProjectPlace }) => {
  const { why, todo, where } = whyNot(row);
  return (
    <tr>
      <th scope="row" data-head="When" class="when">
        <Moment at={'deployment' in row ? row.deployment.started_at : row.test_run.ran_at} />
      </th>
      <td data-head="What">
        <What row={row} />
      </td>
      <td data-head="Why" class="counts-for">
        {why}
      </td>
      <td data-head="What to do" class="counts-for">
        {todo}
        {where === undefined ? null : (
          <div class="small">
            <a href={projectAddress(place) + where[1]}>{where[0]}</a>
          </div>
        )}
      </td>
    </tr>
  );
};

interface NotCountedProps {
  readonly place: ProjectPlace;
  readonly kind: Kind;
  readonly onKind: (kind: Kind) => void;
}

/** What was accepted and counts for no release, each with its reason and what to do. */
export const NotCountedRecords = ({ place, kind, onKind }: NotCountedProps) => {
  const records = usePaged(projectKey(place, `not-counted/${kind}`), async (page, signal) => {
    const { body } = await client.listNotCounted({ path: inProject(place), query: { ...page, kind }, signal });
    return body;
  });
  return (
    <>
      <div class="filters">
        <Choice label="Kind" value={kind} choices={KINDS} onValue={onKind} />
      </div>
      <Shown of={records} lines={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="Nothing is left out">
              <p>All {NAMES[kind]} that were accepted count for a release.</p>
            </Empty>
          ) : (
            <div class="stack">
              <Table cards label="Not counted" heads={['When', 'What', 'Why it does not count', 'What to do']}>
                {rows.map((row) => (
                  <Row key={'deployment' in row ? row.deployment.id : row.test_run.id} row={row} place={place} />
                ))}
              </Table>
              <ShowMore of={records} rows={NAMES[kind]} />
            </div>
          )
        }
      </Shown>
    </>
  );
};
