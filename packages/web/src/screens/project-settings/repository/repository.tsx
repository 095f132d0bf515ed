import type { AnswerOf, HostRepository, RepositoryLink } from '@shipworthy/client';
import { useEffect, useState } from 'preact/hooks';
import { atHost, client } from '../../../api/client.js';
import { usePaged } from '../../../api/paged.js';
import { type Resource, useResource } from '../../../api/resource.js';
import { repositoryHost, useMay } from '../../../api/session.js';
import { useAction } from '../../../api/use-action.js';
import { HOST_SCREEN, inProject, type ProjectPlace, projectKey } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { CopyText } from '../../../parts/copy-text.js';
import { ConfirmButton } from '../../../parts/dialog.js';
import { TextField, useSettled } from '../../../parts/field.js';
import { Moment } from '../../../parts/moment.js';
import { FaultNotice, Notice } from '../../../parts/notice.js';
import { Empty, Panel } from '../../../parts/page.js';
import { IfOffered, Shown, Skeleton } from '../../../parts/shown.js';
import { ShowMore } from '../../../parts/table.js';
import { isolated } from '../../../wording/isolate.js';
import { momentText } from '../../../wording/moments.js';
import { countOf } from '../../../wording/numbers.js';
import { type PartGiven, ProjectPage } from '../project-page.js';
import { LinkForm } from './link-form.js';

/** The repository of a project: to be picked, linked, watched and unlinked. */
export const Repository = () => (
  <ProjectPage title="Repository">
    {(given) => (
      <IfOffered group="host">
        <Part {...given} />
      </IfOffered>
    )}
  </ProjectPage>
);

const Part = (given: PartGiven) => {
  if (given.project.repository) return <Link {...given} />;
  if (given.owner) return <Unlinked place={given.place} onLinked={() => void given.refresh()} />;
  return (
    <Empty title="No repository is linked">
      <p>An owner of the team can link one.</p>
    </Empty>
  );
};

const Link = ({ place, owner, refresh }: PartGiven) => {
  const link = useResource(projectKey(place, 'repository/link'), async (signal) => {
    return (await client.readRepositoryLink({ path: inProject(place), signal })).body.data;
  });
  return (
    <Shown of={link}>
      {(known) => <Linked link={known} resource={link} place={place} owner={owner} onUnlinked={() => void refresh()} />}
    </Shown>
  );
};

interface LinkedProps {
  readonly link: RepositoryLink;
  readonly resource: Resource<RepositoryLink>;
  readonly place: ProjectPlace;
  readonly owner: boolean;
  readonly onUnlinked: () => void;
}

/** No event reports the progress of an import, so it is polled this often, in milliseconds. */
const LOOK_AGAIN_MS = 1_500;

/** The repository a project is linked to: the state of its import, what is imported, and the button that unlinks it. */
const Linked = ({ link, resource, place, owner, onUnlinked }: LinkedProps) => {
  const { repository, linked_by, linked_at } = link;
  const path = inProject(place);
  const { state } = link.import;
  const moving = state === 'waiting' || state === 'running';
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => void resource.refresh(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [moving, resource]);
  const member = useMay(place.teamId, 'member');
  const now = useAction(async () => resource.put((await client.importIssues({ path })).body.data));
  const readNow = async () => {
    // When it is refused, the import has another state than the one shown.
    if (!(await now.run())) void resource.refresh();
  };
  return (
    <>
      <Panel
        title={`Linked to ${isolated(repository.path)}`}
        beside={
          <a href={repository.url} rel="noreferrer noopener" target="_blank">
            Open it
          </a>
        }
      >
        <div class="stack">
          <ImportState of={link.import} />
          <p class="small soft">
            Linked by <bdi>{linked_by}</bdi> <Moment at={linked_at} />, whose connection it is read with.
          </p>
          {now.fault === undefined || state === 'stopped' ? null : <FaultNotice fault={now.fault} />}
          <div class="row">
            {member ? (
              <Button busy={now.running} onClick={() => void readNow()}>
                Read it now
              </Button>
            ) : null}
            {owner ? (
              <ConfirmButton
                text="Unlink"
                title={`Unlink ${isolated(repository.path)}?`}
                perform={() => client.unlinkRepository({ path })}
                onDone={onUnlinked}
              >
                <p>What was imported stays, and can be changed here from then on. Nothing new comes in.</p>
              </ConfirmButton>
            ) : null}
          </div>
        </div>
      </Panel>
      {owner ? (
        <>
          <LinkForm place={place} repository={repository.path} link={link} onDone={resource.put} />
          <HostWebhook place={place} />
        </>
      ) : null}
    </>
  );
};

type ImportStatus = RepositoryLink['import'];

/** The state of the import, in words. */
const ImportState = ({ of }: { readonly of: ImportStatus }) => {
  const { state, message, failure, completed_at, next_at, counts } = of;
  return (
    <div class="stack">
      <div role="status">
        {state === 'running' ? <Reading of={of} /> : null}
        {state === 'waiting' ? (
          <p>{message ?? (completed_at === null ? 'Import starts shortly.' : 'The next import starts shortly.')}</p>
        ) : null}
        {state === 'idle' ? (
          <p>
            <strong>Up to date.</strong> The last import brought {countsText(counts)}.
          </p>
        ) : null}
        {state === 'failing' ? (
          <Notice look="attention">
            <p>
              <strong>The last import failed.</strong> {failure?.message} {message} It is tried again,{' '}
              {momentText(next_at)}.
            </p>
          </Notice>
        ) : null}
        {state === 'stopped' ? (
          <Notice look="bad">
            <p>
              <strong>Import paused.</strong> {message}
            </p>
            <p>
              <a href={HOST_SCREEN}>Your own connection</a>
            </p>
          </Notice>
        ) : null}
      </div>
      <p class="small soft">
        {completed_at === null ? (
          'Scope and quality follow once it was read for the first time.'
        ) : (
          <>
            As of <Moment at={completed_at} />
            {state === 'idle' ? (
              <>
                , read again <Moment at={next_at} />
              </>
            ) : null}
            .
          </>
        )}
      </p>
    </div>
  );
};

const STAGES: Readonly<Record<NonNullable<ImportStatus['stage']>, string>> = {
  milestones: 'milestones',
  issues: 'issues',
  gone: 'what is gone',
  deployments: 'deployments',
  open_deployments: 'deployments under way',
  test_runs: 'test runs',
};

const Reading = ({ of }: { readonly of: ImportStatus }) => (
  <p>
    <strong>{of.completed_at === null ? 'First import' : 'Reading what is new'}</strong>
    {of.stage === null ? '' : `: ${STAGES[of.stage]}`}. So far {countsText(of.counts)}.
  </p>
);

const countsText = ({ milestones, issues, deployments, test_runs }: ImportStatus['counts']): string =>
  [
    countOf(milestones, 'milestone'),
    countOf(issues, 'issue'),
    countOf(deployments, 'deployment'),
    countOf(test_runs, 'test run'),
  ].join(', ');

/** What to enter at the repository so that it reports changes at once. */
const HostWebhook = ({ place }: { readonly place: ProjectPlace }) => {
  const [webhook, setWebhook] = useState<AnswerOf<'readRepositoryWebhook'>['body']['data'] | undefined>(undefined);
  const read = useAction(async () =>
    setWebhook((await client.readRepositoryWebhook({ path: inProject(place) })).body.data),
  );
  return (
    <Panel title="Instant updates">
      <div class="stack">
        <p class="measure">
          The repository is read every few minutes. With a webhook in its settings, changes arrive within seconds.
        </p>
        {read.fault === undefined ? null : <FaultNotice fault={read.fault} />}
        {webhook === undefined ? (
          <div>
            <Button busy={read.running} onClick={() => void read.run()}>
              Show what to enter there
            </Button>
          </div>
        ) : (
          <>
            <CopyText label="Payload URL" text={webhook.url} />
            <CopyText label="Secret" text={webhook.secret} />
            <p>
              Content type <code>{webhook.content_type}</code>; events {webhook.events.join(', ')}.
            </p>
          </>
        )}
      </div>
    </Panel>
  );
};

interface UnlinkedProps {
  readonly place: ProjectPlace;
  readonly onLinked: (link: RepositoryLink) => void;
}

/** No repository yet: what is needed to link one. */
const Unlinked = (given: UnlinkedProps) => {
  const host = repositoryHost.value;
  return host === null ? (
    <Empty title="No repository can be linked yet">
      <p>The server is not set up for a repository host.</p>
      <a class="button" href={HOST_SCREEN}>
        What its administrator sets
      </a>
    </Empty>
  ) : (
    <Choose host={host.title} {...given} />
  );
};

const Choose = ({ host, place, onLinked }: UnlinkedProps & { readonly host: string }) => {
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const connection = useResource(
    'host/connection',
    async (signal) => (await atHost().readHostConnection({ signal })).body,
  );
  if (picked !== undefined)
    return (
      <LinkForm place={place} repository={picked} link={undefined} onDone={onLinked}>
        <Button onClick={() => setPicked(undefined)}>Select another one</Button>
      </LinkForm>
    );
  return (
    <Shown of={connection}>
      {({ connected }) =>
        connected ? (
          <Picker host={host} onPicked={setPicked} />
        ) : (
          <Empty title={`Connect your account at ${host} first`}>
            <p class="measure">
              Issues, milestones, deployments and checks come from the repository by themselves, read with your
              connection. Nothing is written there.
            </p>
            <a class="button main" href={HOST_SCREEN}>
              Connect {host}
            </a>
          </Empty>
        )
      }
    </Shown>
  );
};

/** The repository host answers at most this many repositories at once. */
const MOST_AT_ONCE = 100;

interface PickerProps {
  readonly host: string;
  readonly onPicked: (path: string) => void;
}

/** The repositories the connected account can read; an empty list says why it is empty. */
const Picker = ({ host, onPicked }: PickerProps) => {
  const [search, setSearch] = useState('');
  const wanted = useSettled(search.trim());
  const [said, setSaid] = useState<{ readonly account: string; readonly message: string | undefined } | undefined>();
  const list = usePaged(
    `host/repositories/${wanted}`,
    async ({ limit, cursor }, signal) => {
      const { body } = await atHost().listRepositories({
        query: {
          limit: Math.min(limit, MOST_AT_ONCE),
          ...(cursor === undefined ? {} : { cursor }),
          ...(wanted === '' ? {} : { search: wanted }),
        },
        signal,
      });
      setSaid({ account: body.account, message: body.message });
      return body;
    },
    { isReadRegularly: false },
  );
  const { value, fault } = list.state.value;
  return (
    <Panel
      title="Select a repository"
      beside={
        said === undefined ? undefined : (
          <span class="small soft">
            Signed in at {host} as <bdi>{said.account}</bdi> · <a href={HOST_SCREEN}>another account?</a>
          </span>
        )
      }
    >
      <div class="stack">
        <TextField label="Search" type="search" autocomplete="off" value={search} onValue={setSearch} />
        {fault === undefined ? null : (
          <>
            <FaultNotice fault={fault} onRetry={() => void list.refresh()} />
            {fault.type === 'host-rejected' ? (
              <p>
                <a href={HOST_SCREEN}>Approve access again</a>
              </p>
            ) : null}
          </>
        )}
        {value === undefined ? (
          fault === undefined ? (
            <Skeleton />
          ) : null
        ) : value.rows.length === 0 ? (
          <Notice look="attention">
            <p role="status">{said?.message ?? 'There is none.'}</p>
            {wanted === '' ? (
              <p>
                <a href={HOST_SCREEN}>Connect another account</a>
              </p>
            ) : null}
          </Notice>
        ) : (
          <>
            <ul class="repositories">
              {value.rows.map((repository) => (
                <RepositoryLine key={repository.id} repository={repository} onPicked={onPicked} />
              ))}
            </ul>
            <ShowMore of={list} rows="repositories" />
          </>
        )}
      </div>
    </Panel>
  );
};

const RepositoryLine = ({
  repository,
  onPicked,
}: { readonly repository: HostRepository } & Pick<PickerProps, 'onPicked'>) => (
  <li>
    <span>
      <bdi>{repository.path}</bdi>{' '}
      <span class="small soft">
        {[repository.private ? 'private' : '', repository.archived ? 'archived' : ''].filter(Boolean).join(', ')}
      </span>
    </span>
    <Button compact onClick={() => onPicked(repository.path)} label={`Select ${isolated(repository.path)}`}>
      Select
    </Button>
  </li>
);
