import type { RepositoryLink } from '@shipworthy/client';
import { useEffect } from 'preact/hooks';
import { client } from '../../../api/client.js';
import type { Resource } from '../../../api/resource.js';
import { useMay } from '../../../api/role.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { ConfirmButton } from '../../../parts/confirm-button.js';
import { Moment } from '../../../parts/moment.js';
import { FaultNotice } from '../../../parts/notice.js';
import { Panel } from '../../../parts/page.js';
import { HostWebhook } from './host-webhook.js';
import { ImportState } from './import-state.js';
import { LinkForm } from './link-form.js';

/** An import is told by no event while it goes on; this often it is asked where it stands. */
const LOOK_AGAIN_MS = 1_500;

interface LinkedProps {
  readonly link: RepositoryLink;
  readonly resource: Resource<RepositoryLink>;
  readonly place: ProjectPlace;
  readonly owner: boolean;
  readonly onUnlinked: () => void;
}

/** The repository a project is linked to: where its import stands, what is imported, and the end of it. */
export const Linked = ({ link, resource, place, owner, onUnlinked }: LinkedProps) => {
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
    // Refused, the import stands otherwise than it says here.
    if (!(await now.run())) void resource.refresh();
  };
  return (
    <>
      <Panel
        title={`Linked to ${repository.path}`}
        beside={
          <a href={repository.url} rel="noreferrer noopener" target="_blank">
            Open it
          </a>
        }
      >
        <div class="stack">
          <ImportState of={link.import} />
          <p class="small soft">
            Linked by {linked_by} <Moment at={linked_at} />, whose connection it is read with.
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
                title={`Unlink ${repository.path}?`}
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
