import type { Team } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { client, SERVICE_ADDRESS } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { roleIncludes } from '../../api/session.js';
import { useAction, useCreation } from '../../api/use-action.js';
import { navigate } from '../../navigation/navigate.js';
import {
  inProject,
  type ProjectPlace,
  projectAddress,
  projectKey,
  releaseAddress,
  WELCOME,
} from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { CopyText } from '../../parts/copy-text.js';
import { Form, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { PageFrame } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { countOf } from '../../wording/numbers.js';
import { linesFor } from '../../wording/report-lines.js';
import './welcome.css';

/** Leads to the first report: a team, a project with its first release, a key, then waits for the report. */
export const Welcome = () => {
  const { query } = useLocation();
  const teams = useResource('welcome/teams', readOwnTeams);
  return (
    <div class="journey">
      <PageFrame
        title="A new project"
        lead="Four steps to the first score. Nothing here is final: everything can be renamed later."
      >
        <Shown of={teams}>
          {(own) => {
            const team = own.find(({ id }) => id === query.team);
            const project = team?.projects.find(({ id }) => id === query.project);
            const again = async (teamId: string, projectId?: string) => {
              // The next step is offered only for a team and a project that are known.
              await teams.refresh();
              openNextStep(teamId, projectId);
            };
            return (
              <ol class="stack">
                <TeamStep key={team?.id} teams={own} chosen={team} onDone={again} />
                {/* The keys begin a step anew for another team or project: this screen stays while only the query changes. */}
                <ProjectStep key={`${team?.id} ${project?.id}`} team={team} chosen={project} onDone={again} />
                <KeyStep key={project?.id} team={team} project={project} />
              </ol>
            );
          }}
        </Shown>
      </PageFrame>
    </div>
  );
};

/** The teams in which the person may make a project; not archived ones, nor the demo, which is removed as a whole. */
const readOwnTeams = async (signal: AbortSignal) => {
  const [teams, caller] = await Promise.all([client.listTeams({ signal }), client.whoAmI({ signal })]);
  const isMember = (teamId: string): boolean =>
    roleIncludes(caller.body.data.teams.find(({ id }) => id === teamId)?.role, 'member');
  return teams.body.data.filter(({ id, demo, archived_at }) => !demo && archived_at === null && isMember(id));
};

/** Goes on to the next step; the address holds the step, so that a reload does not start again. */
const openNextStep = (teamId: string, projectId?: string): void =>
  navigate(`${WELCOME}?team=${teamId}${projectId === undefined ? '' : `&project=${projectId}`}`, { replace: true });

interface TeamStepProps {
  readonly teams: readonly Team[];
  readonly chosen: Team | undefined;
  readonly onDone: (teamId: string) => Promise<void>;
}

/** Chooses one of the person's teams, or creates one. */
const TeamStep = ({ teams, chosen, onDone }: TeamStepProps) => {
  const [name, setName] = useState('');
  const create = useCreation(async (keyed) => {
    const { body } = await client.createTeam(keyed({ body: { name } }));
    await onDone(body.data.id);
  });
  return (
    <Step number={1} title="Team" state={chosen === undefined ? 'now' : 'done'} result={chosen?.name}>
      {teams.length === 0 ? null : (
        <div class="row">
          {teams.map((team) => (
            <Button key={team.id} onClick={() => openNextStep(team.id)}>
              {team.name}
            </Button>
          ))}
          <span class="soft">or a new one</span>
        </div>
      )}
      <Form fault={create.fault} fields={['/name']} onSubmit={() => create.run()}>
        <TextField
          label="Name of the team"
          hint="Who works on it together, such as Payments."
          value={name}
          onValue={setName}
          wrong={create.fault?.fields['/name']}
        />
        <div>
          <Button submit look="main" busy={create.running}>
            Create the team
          </Button>
        </div>
      </Form>
    </Step>
  );
};

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly state: 'done' | 'now' | 'later';
  /** The result, once it is done. */
  readonly result?: string | undefined;
  readonly children?: ComponentChildren;
}

const STATES = { done: 'done', now: 'now', later: 'later' } as const;

/** One step: its result, its form, or a note that it comes later. */
const Step = ({ number, title, state, result, children }: StepProps) => (
  <li class={`panel step ${state}`} aria-current={state === 'now' ? 'step' : undefined}>
    <h2>
      <span class="step-number">{state === 'done' ? <Icon name="done" /> : number}</span>
      {title}
      <span class="unseen">({STATES[state]})</span>
      {result === undefined ? null : <bdi class="soft">{result}</bdi>}
    </h2>
    {state === 'now' ? <div class="stack">{children}</div> : null}
  </li>
);

interface ProjectStepProps {
  readonly team: Team | undefined;
  readonly chosen: Team['projects'][number] | undefined;
  readonly onDone: (teamId: string, projectId: string) => Promise<void>;
}

interface Made {
  project?: string;
  release?: string;
}

/** A project and its first release, which is active at once, so that the first report counts for something. */
const ProjectStep = ({ team, chosen, onDone }: ProjectStepProps) => {
  const [name, setName] = useState('');
  const [release, setRelease] = useState('1.0');
  // The parts made so far: after a failure a new try goes on from them.
  const [made, setMade] = useState<Made>({});
  const create = useCreation(async (keyed, teamId: string) => {
    const now = { ...made };
    const inTeam = { team_id: teamId };
    try {
      now.project ??= (await client.createProject(keyed({ path: inTeam, body: { name } }))).body.data.id;
      const path = { ...inTeam, project_id: now.project };
      now.release ??= (await client.createRelease(keyed({ path, body: { name: release } }))).body.data.id;
      await client.activateRelease({ path: { ...path, release_id: now.release } });
    } finally {
      setMade(now);
    }
    await onDone(teamId, now.project);
  });
  const wrong = create.fault?.fields['/name'];
  const state = chosen !== undefined ? 'done' : team === undefined ? 'later' : 'now';
  return (
    <Step number={2} title="Project and release" state={state} result={chosen?.name}>
      <Form
        fault={create.fault}
        fields={['/name']}
        onSubmit={() => (team === undefined ? undefined : create.run(team.id))}
      >
        {made.project === undefined ? (
          <TextField
            label="Name of the project"
            hint="What your pipeline deploys it as: reports find it by exactly this name."
            value={name}
            onValue={setName}
            wrong={wrong}
          />
        ) : (
          <p>
            Project <bdi>{name}</bdi> is created; its release is not yet.
          </p>
        )}
        <TextField
          label="Next release"
          hint="It becomes active now: what is reported from here on counts for it."
          value={release}
          onValue={setRelease}
          wrong={made.project === undefined ? undefined : wrong}
        />
        <div>
          <Button submit look="main" busy={create.running}>
            {made.project === undefined ? 'Create the project' : 'Create the release'}
          </Button>
        </div>
      </Form>
    </Step>
  );
};

interface KeyStepProps {
  readonly team: Team | undefined;
  readonly project: Team['projects'][number] | undefined;
}

/** The scorecard of the active release; the project where none is. */
const scorecardAddress = (place: ProjectPlace, release: Team['projects'][number]['active_release'] | undefined) =>
  release == null ? projectAddress(place) : releaseAddress({ ...place, releaseId: release.id });

/** The first key, shown once inside the very lines that use it, and the wait for the first report. */
const KeyStep = ({ team, project }: KeyStepProps) => {
  const [key, setKey] = useState<string | undefined>(undefined);
  const create = useAction(async (projectId: string, name: string) => {
    const { body } = await client.createApiKey({
      body: {
        name: `${name} pipeline`.slice(0, 200),
        scopes: ['read', 'deployments:write', 'test-runs:write'],
        project_id: projectId,
      },
    });
    setKey(body.data.key);
  });
  if (team === undefined || project === undefined)
    return (
      <>
        <Step number={3} title="Key for the pipeline" state="later" />
        <Step number={4} title="First report" state="later" />
      </>
    );
  const place = { teamId: team.id, projectId: project.id };
  const skip = <a href={scorecardAddress(place, project.active_release)}>Skip this and open the scorecard</a>;
  return (
    <>
      <Step number={3} title="Key for the pipeline" state={key === undefined ? 'now' : 'done'}>
        <p>Your pipeline reports deployments and test runs with an API key. It is shown once.</p>
        {create.fault === undefined ? null : <FaultNotice fault={create.fault} />}
        <div>
          <Button look="main" busy={create.running} onClick={() => void create.run(project.id, project.name)}>
            Create the key
          </Button>
        </div>
        <p>{skip}</p>
      </Step>
      <Step number={4} title="First report" state={key === undefined ? 'later' : 'now'}>
        <Notice look="attention">
          <p>Copy the key now and keep it in your CI's secrets: it is not shown again.</p>
        </Notice>
        {linesFor({ address: SERVICE_ADDRESS, key: key ?? '', app: project.name, place }).map(({ title, text }) => (
          <div class="stack" key={title}>
            <h3>{title}</h3>
            <CopyText label={title} text={text} />
          </div>
        ))}
        <Listening place={place} />
        <p>{skip}</p>
      </Step>
    </>
  );
};

/** How often to look, in milliseconds. Events usually come first; this is for networks that block event streams. */
const LOOK_AGAIN_MS = 5_000;

/** Waits for the first report and shows when it arrives. */
const Listening = ({ place }: { readonly place: ProjectPlace }) => {
  const received = useResource(projectKey(place, 'received'), async (signal) => {
    const path = inProject(place);
    const [{ body: runs }, { body: deployments }, { body: project }] = await Promise.all([
      client.listTestRuns({ path, query: { limit: 1 }, signal }),
      client.listDeployments({ path, query: { limit: 1 }, signal }),
      client.readProject({ path, signal }),
    ]);
    return { run: runs.data[0], deployment: deployments.data[0], release: project.data.active_release };
  });
  const { run, deployment, release } = received.state.value.value ?? {};
  const waiting = run === undefined && deployment === undefined;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => void received.refresh(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [waiting, received]);

  return (
    <div role="status" class="stack">
      {waiting ? (
        <p class="listening">
          <span class="pulse" aria-hidden="true" />
          Listening for the first report …
        </p>
      ) : (
        <Notice look="good">
          <p>
            Received:{' '}
            {[
              run === undefined ? '' : `${run.passed} of ${countOf(run.total, 'test')} passed`,
              deployment === undefined ? '' : `a deployment to ${deployment.environment}`,
            ]
              .filter(Boolean)
              .join(' and ')}
            .
          </p>
          <p>
            <a class="button main" href={scorecardAddress(place, release)}>
              See the scorecard
            </a>
          </p>
        </Notice>
      )}
    </div>
  );
};
