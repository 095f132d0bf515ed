import type { Project } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { useProject } from '../../api/project.js';
import type { Resource } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { HOME, type ProjectPlace, projectAddress } from '../../navigation/places.js';
import { Notice } from '../../parts/notice.js';
import { PageFrame, ProjectNav, Tabs } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { isolated } from '../../wording/isolate.js';
import './project-settings.css';

/** The properties of a part of a project's settings. */
export interface PartGiven {
  readonly project: Project;
  readonly place: ProjectPlace;
  /** Whether the person is an owner of the project's team. */
  readonly owner: boolean;
  readonly refresh: Resource<Project>['refresh'];
}

const partsOf = (place: ProjectPlace) => {
  const base = `${projectAddress(place)}/settings`;
  return [
    ['Project', base],
    ['Repository', `${base}/repository`, 'host'],
    ['Gate policy', `${base}/policy`],
    ['Checklist', `${base}/checklist`],
    ['Webhooks', `${base}/webhooks`, 'webhooks'],
    ['Badge', `${base}/badge`, 'badges'],
  ] as const;
};

/** The frame of a project's settings. */
export const ProjectPage = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: (given: PartGiven) => ComponentChildren;
}) => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const owner = useMay(teamId, 'owner');
  const project = useProject(place);
  const known = project.state.value.value;
  return (
    <PageFrame
      title={known ? `${title} of ${isolated(known.name)}` : project.state.value.fault && title}
      crumbs={
        known
          ? [
              ['Projects', HOME],
              [known.name, projectAddress(place)],
            ]
          : []
      }
    >
      <ProjectNav place={place} />
      <Tabs label="Settings of the project" places={partsOf(place)} />
      <Shown of={project}>
        {(value) => (
          <div class="stack wide project-settings">
            {children({ project: value, place, owner, refresh: project.refresh })}
          </div>
        )}
      </Shown>
    </PageFrame>
  );
};

/** The notice shown in place of settings that only owners see. */
export const ForOwners = ({ what }: { readonly what: string }) => (
  <Notice look="attention">
    <p>Only owners of the team {what}. Ask one of them.</p>
  </Notice>
);
