import type { RepositoryLink } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { atHost } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import { repositoryHost } from '../../../api/session.js';
import { HOST_SETTINGS, type ProjectPlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Empty } from '../../../parts/page.js';
import { Shown } from '../../../parts/shown.js';
import { LinkForm } from './link-form.js';
import { Picker } from './picker.js';

interface UnlinkedProps {
  readonly place: ProjectPlace;
  readonly onLinked: (link: RepositoryLink) => void;
}

const Choose = ({ host, place, onLinked }: UnlinkedProps & { readonly host: string }) => {
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const connection = useResource(
    'host/connection',
    async (signal) => (await atHost().readHostConnection({ signal })).body,
  );
  if (picked !== undefined)
    return (
      <LinkForm place={place} repository={picked} link={undefined} onDone={onLinked}>
        <Button onClick={() => setPicked(undefined)}>Pick another one</Button>
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
            <a class="button main" href={HOST_SETTINGS}>
              Connect {host}
            </a>
          </Empty>
        )
      }
    </Shown>
  );
};

/** No repository yet: what is needed to link one. */
export const Unlinked = (given: UnlinkedProps) => {
  const host = repositoryHost.value;
  return host === null ? (
    <Empty title="No repository can be linked yet">
      <p>The server is not set up for a repository host.</p>
      <a class="button" href={HOST_SETTINGS}>
        What its administrator sets
      </a>
    </Empty>
  ) : (
    <Choose host={host.title} {...given} />
  );
};
