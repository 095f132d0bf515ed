import type { ShownBadge } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inProject, type ProjectPlace, projectAddress, projectKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { OneTimeSecrets } from '../../parts/copy-text.js';
import { ConfirmButton } from '../../parts/dialog.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice } from '../../parts/notice.js';
import { Empty, Panel } from '../../parts/page.js';
import { IfOffered, Shown } from '../../parts/shown.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { ForOwners, ProjectPage } from './project-page.js';

interface BadgeGiven {
  readonly place: ProjectPlace;
  readonly name: string;
}

const BadgeAddresses = ({ shown, place, name }: BadgeGiven & { readonly shown: ShownBadge }) => {
  const page = location.origin + projectAddress(place);
  return (
    <Panel title="Where the badge is">
      <p>
        <img
          class="badge"
          src={new URL(shown.svg_url).pathname + new URL(shown.svg_url).search}
          alt={`Badge of ${isolated(name)}`}
        />
      </p>
      <OneTimeSecrets
        texts={[
          ['Line for a README', `[![readiness of ${name}](${shown.svg_url})](${page})`],
          ['Address of the image', shown.svg_url],
          ['Address for shields.io', shown.json_url],
        ]}
      >
        Copy what you need now: the addresses hold the token of the badge and are not shown again.
      </OneTimeSecrets>
    </Panel>
  );
};

const Switch = ({ place, name }: BadgeGiven) => {
  const [shown, setShown] = useState<ShownBadge | undefined>(undefined);
  const state = useResource(projectKey(place, 'badge'), async (signal) => {
    const { body } = await client.readBadgeState({ path: inProject(place), signal });
    return body.data;
  });
  const perform = async () => {
    setShown((await client.showBadge({ path: inProject(place) })).body.data);
    void state.refresh();
  };
  const show = useAction(async () => {
    await perform();
    offerUndo('The badge: shown.', async () => {
      await client.hideBadge({ path: inProject(place) });
      void state.refresh();
    });
  });
  return (
    <Shown of={state} lines={2}>
      {({ shown: isShown, shown_at, shown_by }) => (
        <>
          {show.fault === undefined ? null : <FaultNotice fault={show.fault} />}
          {shown === undefined || !isShown ? null : <BadgeAddresses shown={shown} place={place} name={name} />}
          {isShown ? (
            <Panel title="The badge is shown">
              <div class="stack">
                <p>Anyone with its address sees name, decision and score of the active release, and nothing else.</p>
                {shown_at === null ? null : (
                  <p class="small soft">
                    <bdi>{shown_by}</bdi> made the address <Moment at={shown_at} />.
                  </p>
                )}
                <div class="row">
                  <ConfirmButton text="Make another address" title="Make another address?" perform={perform}>
                    <p>The current address stops working: replace it wherever it is used.</p>
                  </ConfirmButton>
                  <ConfirmButton
                    text="Hide the badge"
                    title="Hide the badge?"
                    perform={() => client.hideBadge({ path: inProject(place) })}
                    onDone={() => void state.refresh()}
                  >
                    <p>Its address ends. Show it again and it has another one.</p>
                  </ConfirmButton>
                </div>
              </div>
            </Panel>
          ) : (
            <Empty title="No badge is shown">
              <p class="measure">
                A badge shows name, decision and score of the active release to anyone with its address, without signing
                in: for a README or a wiki.
              </p>
              <Button look="main" busy={show.running} onClick={() => void show.run()}>
                Show the badge
              </Button>
            </Empty>
          )}
        </>
      )}
    </Shown>
  );
};

/** The badge of a project: shown to anyone who has its address, or not at all. */
export const BadgeSettings = () => (
  <ProjectPage title="Badge">
    {({ project, place, owner }) => (
      <IfOffered group="badges">
        {owner ? <Switch place={place} name={project.name} /> : <ForOwners what="show the badge" />}
      </IfOffered>
    )}
  </ProjectPage>
);
