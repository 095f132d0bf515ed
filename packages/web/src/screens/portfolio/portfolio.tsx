import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { WELCOME } from '../../navigation/places.js';
import { Empty, Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { countOf } from '../../wording/numbers.js';
import { DemoNotice } from './demo-notice.js';
import { EndingKeys } from './ending-keys.js';
import './portfolio.css';
import { PortfolioTable } from './portfolio-table.js';
import { ReceivedInvitations } from './received-invitations.js';
import { DEFAULT_ORDER, ordered } from './sort-projects.js';

/** Every project in sight: may its active release ship, and if not, why not. */
export const Portfolio = () => {
  const [order, setOrder] = useState(DEFAULT_ORDER);
  const portfolio = useResource('portfolio', async (signal) => (await client.readPortfolio({ signal })).body.data);
  const count = portfolio.state.value.value?.length ?? 0;
  return (
    <Page
      title="Projects"
      actions={
        count === 0 ? undefined : (
          <a class="button" href={WELCOME}>
            New project
          </a>
        )
      }
      lead={count === 0 ? undefined : countOf(count, 'project')}
    >
      <ReceivedInvitations />
      <EndingKeys />
      <Shown of={portfolio}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No project yet">
              <p>A project is what your pipeline deploys under one name. Create one, and this line reports to it:</p>
              <pre>npx @shipworthy/cli tests record report.xml</pre>
              <a class="button main" href={WELCOME}>
                Create a project
              </a>
            </Empty>
          ) : (
            <div class="stack">
              <DemoNotice entries={entries} onRemoved={portfolio.refresh} />
              <PortfolioTable entries={ordered(entries, order)} order={order} onOrder={setOrder} />
            </div>
          )
        }
      </Shown>
    </Page>
  );
};
