import type { Release, RepositoryLink } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { type Paged, usePaged } from '../../api/paged.js';
import { useProject } from '../../api/project.js';
import { useResource } from '../../api/resource.js';
import { isOffered, useMay } from '../../api/session.js';
import {
  HOME,
  inProject,
  inRelease,
  type ProjectPlace,
  projectAddress,
  projectKey,
  type ReleasePlace,
  releaseAddress,
  releaseKey,
} from '../../navigation/places.js';
import { ArchivedNotice } from '../../parts/archive.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { Empty, PageFrame, Panel, ProjectNav } from '../../parts/page.js';
import { DecisionBadge, ScoreFigure } from '../../parts/score-figure.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { isolated, withIsolatedNames } from '../../wording/isolate.js';
import { dateText, momentOfLocalDay } from '../../wording/moments.js';
import { RELEASE_STATE_TITLES, readingsOf, waiversText } from '../../wording/names.js';
import { countOf, coverageText } from '../../wording/numbers.js';
import './project.css';
import { useCreation } from '../../api/use-action.js';
import { navigate, useQuery } from '../../navigation/navigate.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, TextField, useSettled } from '../../parts/field.js';
import { chosenOf, ExportCsv, FindField, searchQuery, withoutEmpty } from '../../parts/list-filter.js';

/** A project: its active release, all its releases, and where its issues come from. */
export const ProjectScreen = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const project = useProject(place);
  const member = useMay(teamId, 'member');
  const [query, changeQuery] = useQuery();
  const filter = filterIn(query);
  const wanted = wantedOf({ ...filter, text: useSettled(filter.text) });
  const releases = usePaged(projectKey(place, `releases?${new URLSearchParams(wanted)}`), async (page, signal) => {
    const { body } = await client.listReleases({ path: inProject(place), query: { ...page, ...wanted }, signal });
    return body;
  });
  const [wantsRelease, setPlanning] = useState(false);
  const planning = wantsRelease || (member && query.new === 'release');
  const endPlanning = () => {
    setPlanning(false);
    if (query.new !== undefined) changeQuery({ new: '' });
  };
  const known = project.state.value.value;
  const plan = (
    <Button look="main" onClick={() => setPlanning(true)}>
      <Icon name="plus" />
      New release
    </Button>
  );
  return (
    <PageFrame
      title={known?.name ?? (project.state.value.fault && 'Project')}
      crumbs={known ? [['Projects', HOME]] : []}
      actions={
        known ? (
          <>
            <ExportCsv place={place} file="releases.csv" wanted={wanted} />
            {member ? plan : null}
          </>
        ) : undefined
      }
    >
      <ProjectNav place={place} />
      <Shown of={project}>
        {({ active_release, repository, archived_at }) => (
          <div class="stack wide">
            {archived_at === null ? null : <ArchivedNotice restoredAt={`${projectAddress(place)}/settings`} />}
            <div class="project-top">
              <ActiveRelease release={active_release} place={place} />
              {isOffered('host') ? <RepositoryHealth place={place} linked={repository != null} /> : null}
            </div>
            <Releases
              releases={releases}
              place={place}
              plan={member ? plan : null}
              filter={filter}
              isFiltered={`${filter.text.trim()}${wanted.q ?? ''}${filter.state}` !== ''}
              onFilter={changeQuery}
            />
          </div>
        )}
      </Shown>
      {planning ? <NewRelease place={place} onClose={endPlanning} /> : null}
    </PageFrame>
  );
};

type State = Release['state'];

const STATE_CHOICES = (['planned', 'active', 'shipped', 'canceled'] as const).map(
  (state) => [state, RELEASE_STATE_TITLES[state]] as const,
);

const SORTS = [
  ['', 'Newest first'],
  ['created-asc', 'Oldest first'],
  ['target', 'Earliest target'],
  ['target-desc', 'Latest target'],
  ['name', 'Name'],
] as const;
type Sort = (typeof SORTS)[number][0];

const SORTED = {
  '': {},
  'created-asc': { sort: 'created', order: 'asc' },
  target: { sort: 'target' },
  'target-desc': { sort: 'target', order: 'desc' },
  name: { sort: 'name' },
} as const;

/** The filter and the order of the releases, as the address says them; empty: not filtered by it. */
interface ReleaseFilter {
  readonly text: string;
  readonly state: State | '';
  readonly sort: Sort;
}

const filterIn = ({ text = '', state, sort }: Readonly<Record<string, string>>): ReleaseFilter => ({
  text,
  state: chosenOf(STATE_CHOICES, state),
  sort: chosenOf(SORTS, sort),
});

/** The query that asks for what the filter leaves. */
const wantedOf = ({ text, state, sort }: ReleaseFilter) => ({
  ...withoutEmpty({ q: searchQuery(text) }),
  ...(state === '' ? {} : { state }),
  ...SORTED[sort],
});

interface ReleasesProps {
  readonly releases: Paged<Release>;
  readonly place: ProjectPlace;
  /** The button for a new release; null: this person may not plan one. */
  readonly plan: ComponentChildren;
  readonly filter: ReleaseFilter;
  /** Whether the filter of the shown list, or of the list that is being read, leaves any release out. */
  readonly isFiltered: boolean;
  readonly onFilter: (members: Partial<Record<keyof ReleaseFilter, string>>) => void;
}

/** All releases of the project, or those that the filter leaves. */
const Releases = ({ releases, place, plan, filter, isFiltered, onFilter }: ReleasesProps) => {
  const isNone = releases.state.value.value?.rows.length === 0 && !isFiltered;
  return (
    <>
      {isNone ? null : (
        <search class="filters">
          <FindField
            label="Find a release"
            placeholder="Words of the name"
            text={filter.text}
            onText={(text) => onFilter({ text })}
          />
          <Choice
            label="State"
            value={filter.state}
            choices={[['', 'Any state'], ...STATE_CHOICES]}
            onValue={(state) => onFilter({ state })}
          />
          <Choice label="Sort" value={filter.sort} choices={SORTS} onValue={(sort) => onFilter({ sort })} />
        </search>
      )}
      <Shown of={releases}>
        {({ rows }) =>
          isNone ? (
            <Empty title="No release yet">
              {isOffered('host') ? <p>Create one, or import milestones from a linked repository.</p> : null}
              {plan}
            </Empty>
          ) : rows.length === 0 ? (
            <Empty title="No such release">
              <p>No release of this project matches the filter.</p>
              <Button onClick={() => onFilter({ text: '', state: '' })}>Show all releases</Button>
            </Empty>
          ) : (
            <>
              <Table cards label="Releases" heads={['Release', 'State', 'Window starts', 'Target', 'Ended']}>
                {rows.map((release) => (
                  <Row key={release.id} release={release} place={place} />
                ))}
              </Table>
              <ShowMore of={releases} rows="releases" which="first" />
            </>
          )
        }
      </Shown>
    </>
  );
};

interface ActiveReleaseProps {
  readonly release: { readonly id: string; readonly name: string } | null;
  readonly place: ProjectPlace;
}

/** The judgement of the active release. */
const ActiveRelease = ({ release, place }: ActiveReleaseProps) => (
  <Panel title={release === null ? 'No active release' : `Active release ${isolated(release.name)}`}>
    {release === null ? (
      <p class="soft">
        Reports count for the active release. Open a planned one below and make it active, or create a new one.
      </p>
    ) : (
      <Standing place={{ ...place, releaseId: release.id }} name={release.name} />
    )}
  </Panel>
);

const Standing = ({ place, name }: { readonly place: ReleasePlace; readonly name: string }) => {
  const readiness = useResource(releaseKey(place, 'readiness'), async (signal) => {
    const { body } = await client.readReadiness({ path: inRelease(place), signal });
    return body.data;
  });
  return (
    <Shown of={readiness} lines={3}>
      {({ gate, score, coverage, ...report }) => (
        <div class="standing">
          <div>
            <ScoreFigure
              score={score}
              coverage={coverage}
              covers={coverageText(readingsOf(report))}
              look="standing-score"
            />
          </div>
          <div class="stack">
            <p class="row">
              <DecisionBadge decision={gate.decision} />
            </p>
            {gate.waivers.length === 0 ? null : <p>{waiversText(gate)}</p>}
            <p>
              {withIsolatedNames(gate.reasons.find(({ waived }) => !waived)?.message ?? '') ||
                (gate.waivers.length === 0 ? 'Nothing blocks this release.' : null)}
            </p>
            <p>
              <a href={releaseAddress(place)}>
                Scorecard of <bdi>{name}</bdi>
              </a>
            </p>
          </div>
        </div>
      )}
    </Shown>
  );
};

/** The linked repository, and whether it can be read. */
const RepositoryHealth = ({ place, linked }: { readonly place: ProjectPlace; readonly linked: boolean }) => {
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

const STATES: Readonly<Record<RepositoryLink['import']['state'], string>> = {
  waiting: 'Waiting to be read',
  running: 'Being read',
  idle: 'Up to date',
  failing: 'Cannot be read at the moment',
  stopped: 'Stopped: action needed',
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
      {(message ?? failure?.message) ? (
        <p class="small">{withIsolatedNames(message ?? failure?.message ?? '')}</p>
      ) : null}
    </div>
  );
};

const Row = ({ release, place }: { readonly release: Release; readonly place: ProjectPlace }) => (
  <tr>
    <th scope="row" data-head="Release">
      <a href={releaseAddress({ ...place, releaseId: release.id })}>{release.name}</a>
    </th>
    <td data-head="State">{RELEASE_STATE_TITLES[release.state]}</td>
    <td data-head="Window starts">{dateOrDash(release.starts_at)}</td>
    <td data-head="Target">{dateOrDash(release.target_at)}</td>
    <td data-head="Ended">{dateOrDash(release.shipped_at ?? release.canceled_at)}</td>
  </tr>
);

const dateOrDash = (at: string | null) => (at === null ? <span class="none">–</span> : dateText(at));

/** Plans a release and goes to its scorecard. */
const NewRelease = ({ place, onClose }: { readonly place: ProjectPlace; readonly onClose: () => void }) => {
  const [name, setName] = useState('');
  const [target, setTarget] = useState('');
  const create = useCreation(async (keyed) => {
    const { body } = await client.createRelease(
      keyed({
        path: inProject(place),
        body: { name, ...(target === '' ? {} : { target_at: momentOfLocalDay(target) }) },
      }),
    );
    navigate(releaseAddress({ ...place, releaseId: body.data.id }));
  });
  return (
    <Dialog
      title="New release"
      onClose={onClose}
      fault={create.fault}
      fields={['/name', '/target_at']}
      onSubmit={() => create.run()}
    >
      <TextField label="Name" placeholder="2.5" value={name} onValue={setName} wrong={create.fault?.fields['/name']} />
      <TextField
        label="Target (optional)"
        type="date"
        value={target}
        onValue={setTarget}
        wrong={create.fault?.fields['/target_at']}
      />
      <p class="soft small">It begins as planned, with Docs, Feature flag and Rollback on its checklist.</p>
      <div class="row">
        <Button submit look="main" busy={create.running}>
          Create
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
