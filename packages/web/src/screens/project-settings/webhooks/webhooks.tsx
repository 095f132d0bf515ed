import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import { inProject, type ProjectPlace, projectKey } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { Empty } from '../../../parts/page.js';
import { Shown } from '../../../parts/shown.js';
import { ForOwners, ProjectPage } from '../project-page.js';
import { NewWebhook } from './new-webhook.js';
import { WebhookPanel } from './webhook-panel.js';

const List = ({ place }: { readonly place: ProjectPlace }) => {
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<{ readonly of: string; readonly text: string } | undefined>(undefined);
  const webhooks = useResource(projectKey(place, 'webhooks'), async (signal) => {
    return (await client.listWebhooks({ path: inProject(place), signal })).body.data;
  });
  const refresh = () => void webhooks.refresh();
  const create = (
    <Button look="main" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      New webhook
    </Button>
  );
  return (
    <>
      <Shown of={webhooks}>
        {(known) =>
          known.length === 0 ? (
            <Empty title="No webhook">
              <p class="measure">
                A webhook tells a chat, a pipeline or a dashboard when the gate decides otherwise or a release ships.
              </p>
              {create}
            </Empty>
          ) : (
            <>
              <div>{create}</div>
              {known.map((webhook) => (
                <WebhookPanel
                  key={webhook.id}
                  webhook={webhook}
                  place={place}
                  secret={secret?.of === webhook.id ? secret.text : undefined}
                  onSecret={(text) => setSecret({ of: webhook.id, text })}
                  onChange={refresh}
                />
              ))}
            </>
          )
        }
      </Shown>
      {creating ? (
        <NewWebhook
          place={place}
          onClose={() => setCreating(false)}
          onDone={({ secret: text, ...webhook }) => {
            setCreating(false);
            setSecret({ of: webhook.id, text });
            refresh();
          }}
        />
      ) : null}
    </>
  );
};

/** Where a project's events are sent to. */
export const Webhooks = () => (
  <ProjectPage title="Webhooks">
    {({ place, owner }) => (owner ? <List place={place} /> : <ForOwners what="see its webhooks" />)}
  </ProjectPage>
);
