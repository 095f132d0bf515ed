import type { DeploymentAttribution, TestRunAttribution } from '@shipworthy/client/contract';
import type { Attribution, ReleaseAttribution } from '@shipworthy/domain';

type WireAttribution = DeploymentAttribution | TestRunAttribution;

const wireRelease = ({
  id,
  name,
  counts,
  reason,
  contribution,
}: ReleaseAttribution): WireAttribution['releases'][number] => ({
  id,
  name,
  counts,
  ...(reason === null || reason === 'no_release_window' ? {} : { reason }),
  ...(contribution === null
    ? {}
    : { contribution: { score_with: contribution.scoreWith, score_without: contribution.scoreWithout } }),
});

/** The receipt of a record: what it counts for, or why for nothing. */
export const wireAttribution = <A extends WireAttribution['axis']>(
  axis: A,
  { project, releases, reason }: Attribution,
) => ({
  project: { id: project.id, name: project.name },
  releases: releases.map(wireRelease),
  axis,
  ...(reason === 'no_release_window' ? ({ reason } as const) : {}),
});
