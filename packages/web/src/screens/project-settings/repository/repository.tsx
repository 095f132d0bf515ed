import { client } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import { inProject, projectKey } from '../../../navigation/places.js';
import { Empty } from '../../../parts/page.js';
import { Shown } from '../../../parts/shown.js';
import { type PartGiven, ProjectPage } from '../project-page.js';
import { Linked } from './linked.js';
import { Unlinked } from './unlinked.js';

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

const Part = (given: PartGiven) => {
  if (given.project.repository) return <Link {...given} />;
  if (given.owner) return <Unlinked place={given.place} onLinked={() => void given.refresh()} />;
  return (
    <Empty title="No repository is linked">
      <p>An owner of the team can link one.</p>
    </Empty>
  );
};

/** The repository of a project: to be picked, linked, watched and unlinked. */
export const Repository = () => <ProjectPage title="Repository">{(given) => <Part {...given} />}</ProjectPage>;
