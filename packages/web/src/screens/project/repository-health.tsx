import type { RepositoryLink } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { useMay } from '../../api/role.js';
import { inProject, type ProjectPlace, projectAddress, projectKey } from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { countOf } from '../../wording/numbers.js';

const STATES: Readonly<Record<RepositoryLink['import']['state'], string>> = {
  waiting: 'Waiting to be read',
  running: 'Being read',
  idle: 'Up to date',
  failing: 'Cannot be read at the moment',
  stopped: 'Stopped: somebody has to act',
};

const Health = ({ link }: { readonly link: RepositoryLink }) => {
  const { state, completed_at, failure, message, counts } = link.import;
  const bad = state === 'failing' || state === 'stopped';
  return (
    <div class="stack">
      <p>
        <a href={link.repository.url} rel="noreferrer noopener">
          {link.repository.path}
        </a>
      </p>
      <p class="row">
        <span class={bad ? 'health bad' : 'health'}>
          <Icon name={bad ? 'attention' : state === 'idle' ? 'done' : 'clock'} /> {STATES[state]}
        </span>
        {state === 'running' ? <span class="soft small">{countOf(counts.issues, 'issue')} so far</span> : null}
      </p>
      {completed_at === null ? null : (
        <p class="soft small">
          Known as of <Moment at={completed_at} />
        </p>
      )}
      {(message ?? failure?.message) ? <p class="small">{message ?? failure?.message}</p> : null}
    </div>
  );
};

/** The linked repository, and whether it can be read. */
export const RepositoryHealth = ({ place, linked }: { readonly place: ProjectPlace; readonly linked: boolean }) => {
  const owner = useMay(place.teamId, 'owner');
  const link = useResource(projectKey(place, `repository/${linked}`), async (signal) => {
    if (!linked) return null;
    return (await client.readRepositoryLink({ path: inProject(place), signal })).body.data;
  });
  const settings = `${projectAddress(place)}/settings/repository`;
  return (
    <Panel title="Repository" beside={owner ? <a href={settings}>Settings</a> : undefined}>
      <Shown of={link} lines={2}>
        {(known) =>
          known === null ? (
            <p class="soft">
              Not linked. Issues are entered by hand, or{' '}
              {owner ? <a href={settings}>link a repository</a> : 'an owner links a repository'}.
            </p>
          ) : (
            <Health link={known} />
          )
        }
      </Shown>
    </Panel>
  );
};
