import type { ApiKey, PortfolioEntry, PortfolioPage, ReceivedInvitation } from '@shipworthy/client';
import { useRef } from 'preact/hooks';
import { client } from '../../api/client.js';
import { type Paged, rowsToCome, usePagedWithLastPage } from '../../api/paged.js';
import type { AnsweredPage, Rows } from '../../api/read-rows.js';
import { refreshShown, useResource } from '../../api/resource.js';
import { ROLE_TITLES, useMay } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { projectAddress, SETTINGS, WELCOME } from '../../navigation/places.js';
import { MixedScriptsWarning } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton } from '../../parts/dialog.js';
import { Expiry, endsAboutNow } from '../../parts/moment.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Empty, PageFrame, Panel } from '../../parts/page.js';
import { Shown, useIsPainted } from '../../parts/shown.js';
import { BackToTop } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { momentText } from '../../wording/moments.js';
import { countOf, countText } from '../../wording/numbers.js';
import './portfolio.css';
import {
  isFiltered,
  matchingCount,
  PortfolioFilters,
  type PortfolioView,
  tableAddress,
  usePortfolioView,
  useWanted,
} from './portfolio-filter.js';
import { PortfolioTable } from './portfolio-table.js';

type Page = PortfolioPage & AnsweredPage<PortfolioEntry>;
type PortfolioRows = Rows<PortfolioEntry, Page>;

/** Up to this many projects, no filter is shown: they are seen at a glance. */
const AT_A_GLANCE = 5;

/** Every project in sight: may its active release ship, and if not, why not. */
export const Portfolio = () => {
  const view = usePortfolioView();
  const wanted = useWanted(view);
  const portfolio = usePagedWithLastPage<Page>(`portfolio?${new URLSearchParams(wanted)}`, async (page, signal) => {
    const { body } = await client.readPortfolio({ query: { ...wanted, ...page }, signal });
    return { ...body, next_cursor: body.next_cursor ?? null };
  });
  const { value, fault, ...reading } = portfolio.state.value;
  // After a change of the filter, the former rows stay until the new ones have arrived.
  const last = useRef<PortfolioRows | undefined>(undefined);
  if (value !== undefined) last.current = value;
  const shown = value ?? (fault === undefined ? last.current : undefined);
  const page = last.current?.page;
  const total = page?.total ?? 0;
  return (
    <PageFrame
      title="Projects"
      actions={
        total === 0 ? undefined : (
          <>
            <a class="button" href={tableAddress(wanted)} download="portfolio.csv">
              Export CSV
            </a>
            <a class="button" href={WELCOME}>
              New project
            </a>
          </>
        )
      }
      lead={page === undefined ? '\u00a0' : total === 0 ? undefined : countOf(total, 'project')}
    >
      <ReceivedInvitations />
      <EndingKeys />
      {/* The key makes the list anew once it is known: a list that grows would visibly push what follows. */}
      <div class="stack" key={page === undefined ? 'awaited' : 'known'}>
        <DemoNotice entries={last.current?.rows ?? []} onRemoved={portfolio.refresh} />
        {page !== undefined && (total > AT_A_GLANCE || isFiltered(view)) ? (
          <PortfolioFilters page={page} view={view} />
        ) : null}
        <Shown of={{ state: { value: { ...reading, fault, value: shown } } }}>
          {({ rows }) =>
            total === 0 ? (
              <Empty title="No project yet">
                <p>A project is what your pipeline deploys under one name. Create one, and this line reports to it:</p>
                <pre>npx @shipworthy/cli tests record report.xml</pre>
                <a class="button main" href={WELCOME}>
                  Create a project
                </a>
              </Empty>
            ) : rows.length === 0 ? (
              <Empty title="No project fits">
                <Button onClick={() => view.change({ text: '', decision: '', team: '', silent: '' })}>
                  Show all projects
                </Button>
              </Empty>
            ) : (
              <Projects rows={rows} page={page} view={view} of={portfolio} former={value === undefined} />
            )
          }
        </Shown>
      </div>
    </PageFrame>
  );
};

interface ProjectsProps {
  readonly rows: readonly PortfolioEntry[];
  readonly page: Page | undefined;
  readonly view: PortfolioView;
  readonly of: Paged<PortfolioEntry, Page>;
  readonly former: boolean;
}

/** Rows that fill the first screenful of a high screen. */
const FIRST_ROWS = 25;

/** The projects that were read so far, with a button that reads more. */
const Projects = ({ rows, page, view, of, former }: ProjectsProps) => {
  const isPainted = useIsPainted();
  const matching = page === undefined ? 0 : matchingCount(page, view);
  const left = matching - rows.length;
  return (
    <>
      <PortfolioTable
        entries={isPainted ? rows : rows.slice(0, FIRST_ROWS)}
        view={view}
        teams={new Map(page?.teams?.map(({ id, projects }) => [id, projects]))}
        former={former}
      />
      {of.more.fault === undefined ? null : <FaultNotice fault={of.more.fault} />}
      {isPainted || rows.length <= FIRST_ROWS ? null : <div class="to-come" />}
      {!isPainted || former || page?.next_cursor == null || left <= 0 ? null : (
        <div class="row">
          <Button busy={of.more.running} onClick={() => void of.more.run()}>
            Show {countText(Math.min(rowsToCome(rows.length), left))} more of {countOf(matching, 'project')}
          </Button>
          <BackToTop of={rows} />
        </div>
      )}
    </>
  );
};

/** The invitations for the person's own address; nothing where there are none, or they cannot be read. */
const ReceivedInvitations = () => {
  const received = useResource<readonly ReceivedInvitation[]>('received-invitations', async (signal) => {
    const { body } = await client.listReceivedInvitations({ signal });
    return body.data;
  });
  const invitations = received.state.value.value ?? [];
  const done = () => {
    void received.refresh();
    for (const key of ['whoami', 'portfolio']) refreshShown(key);
  };
  if (invitations.length === 0) return null;
  return (
    <Panel title="Invitations for you">
      <ul class="stack">
        {invitations.map((invitation) => (
          <Line key={invitation.id} invitation={invitation} onDone={done} />
        ))}
      </ul>
    </Panel>
  );
};

interface LineProps {
  readonly invitation: ReceivedInvitation;
  readonly onDone: () => void;
}

const Line = ({ invitation, onDone }: LineProps) => {
  const { id, team, role, invited_by: maker, mixed_scripts: mixed, expires_at: end } = invitation;
  const path = { invitation_id: id };
  const accept = useAction(async () => {
    await client.acceptReceivedInvitation({ path });
    onDone();
  });
  return (
    <li class="stack tight">
      <div class="row">
        <span>
          <bdi>{maker}</bdi> invites you to the team <bdi>{team.name}</bdi>, as {ROLE_TITLES[role].toLowerCase()}{' '}
          <span class="small soft">until {momentText(end)}</span>
          {mixed ? <MixedScriptsWarning /> : null}
        </span>
        <Button
          look="main"
          compact
          busy={accept.running}
          onClick={() => void accept.run()}
          label={`Join the team ${isolated(team.name)}`}
        >
          Join
        </Button>
        <ConfirmButton
          text="Decline"
          label={`Decline to join ${isolated(team.name)}`}
          title={`Decline to join ${isolated(team.name)}?`}
          look="plain"
          compact
          perform={() => client.declineReceivedInvitation({ path })}
          onDone={onDone}
        >
          <p>An owner of the team can invite you again.</p>
        </ConfirmButton>
      </div>
      {accept.fault === undefined ? null : <FaultNotice fault={accept.fault} />}
    </li>
  );
};

/** The person's own API keys that expire within 14 days, or expired in the last 14; nothing where there are none. */
const EndingKeys = () => {
  const keys = useResource<readonly ApiKey[]>('ending-keys', async (signal) => {
    const { body } = await client.listApiKeys({ signal });
    return body.data.filter(({ expires_at }) => endsAboutNow(expires_at));
  });
  const ending = keys.state.value.value ?? [];
  if (ending.length === 0) return null;
  return (
    <Notice look="attention">
      <p>
        Pipelines that use these <a href={SETTINGS}>API keys of yours</a> are refused once they expire. Replace them
        before:
      </p>
      <ul>
        {ending.map(({ id, name, expires_at }) => (
          <li key={id}>
            <bdi>{name}</bdi> <Expiry at={expires_at} />
          </li>
        ))}
      </ul>
    </Notice>
  );
};

interface DemoNoticeProps {
  readonly entries: readonly PortfolioEntry[];
  readonly onRemoved: () => Promise<void>;
}

/** Says which of the projects is sample data, and removes it by one click. */
const DemoNotice = ({ entries, onRemoved }: DemoNoticeProps) => {
  const entry = entries.find(({ team }) => team.demo);
  return entry === undefined ? null : <DemoProjectNotice entry={entry} onRemoved={onRemoved} />;
};

const DemoProjectNotice = ({
  entry,
  onRemoved,
}: Pick<DemoNoticeProps, 'onRemoved'> & { readonly entry: PortfolioEntry }) => {
  const { team, project } = entry;
  const mayRemove = useMay(team.id, 'owner');
  const remove = useAction(async () => {
    await client.removeDemo();
    await onRemoved();
  });
  return (
    <>
      <Notice look="attention">
        <div class="demo">
          <p>
            <strong>Demo data</strong>: three releases of{' '}
            <a href={projectAddress({ teamId: team.id, projectId: project.id })}>
              <bdi>{project.name}</bdi>
            </a>
            , made up for looking around.
          </p>
          {mayRemove ? (
            <Button compact busy={remove.running} onClick={() => void remove.run()}>
              Remove it
            </Button>
          ) : null}
        </div>
      </Notice>
      {remove.fault === undefined ? null : <FaultNotice fault={remove.fault} />}
    </>
  );
};
