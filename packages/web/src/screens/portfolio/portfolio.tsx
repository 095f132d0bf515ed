import type { PortfolioEntry } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { projectAddress, releaseAddress } from '../../navigation/places.js';
import { DecisionBadge } from '../../parts/decision-badge.js';
import { Moment } from '../../parts/moment.js';
import { Empty, Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { scoreText } from '../../wording/numbers.js';

const Row = ({ entry }: { readonly entry: PortfolioEntry }) => {
  const { team, project, readiness, last_deployment_at, last_test_run_at } = entry;
  const place = { teamId: team.id, projectId: project.id };
  return (
    <tr>
      <th scope="row">
        <a href={projectAddress(place)}>{project.name}</a>
        <div class="soft small">{team.name}</div>
      </th>
      <td>
        {readiness === null ? (
          <span class="soft">No active release</span>
        ) : (
          <a href={releaseAddress({ ...place, releaseId: readiness.release.id })}>{readiness.release.name}</a>
        )}
      </td>
      <td>{readiness === null ? null : <DecisionBadge decision={readiness.decision} />}</td>
      <td class="number">{readiness === null || readiness.score === null ? '–' : scoreText(readiness.score)}</td>
      <td>{readiness?.reason?.message}</td>
      <td class="small">
        {last_deployment_at === null ? 'no deployment yet' : <Moment at={last_deployment_at} />}
        <br />
        {last_test_run_at === null ? 'no test run yet' : <Moment at={last_test_run_at} />}
      </td>
    </tr>
  );
};

/** Every project in sight: may its active release ship, and if not, why not. */
export const Portfolio = () => {
  const portfolio = useResource('portfolio', async (signal) => (await client.readPortfolio({ signal })).body.data);
  return (
    <Page title="Projects">
      <Shown of={portfolio}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No project yet">
              <p>A project is what you deploy under one name.</p>
              <a class="button main" href="/welcome">
                Create a project
              </a>
            </Empty>
          ) : (
            <Table
              label="Projects"
              heads={['Project', 'Active release', 'Gate', { number: 'Score' }, 'First reason', 'Last reports']}
            >
              {entries.map((entry) => (
                <Row key={entry.project.id} entry={entry} />
              ))}
            </Table>
          )
        }
      </Shown>
    </Page>
  );
};
