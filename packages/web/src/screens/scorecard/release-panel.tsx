import type { ReadinessReport, Release } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inRelease, projectKey, type ReleasePlace, releaseAddress } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton } from '../../parts/dialog.js';
import { useNow } from '../../parts/moment.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { momentText } from '../../wording/moments.js';
import { RELEASE_STATE_TITLES } from '../../wording/names.js';

interface ReleasePanelProps {
  readonly release: Release;
  readonly place: ReleasePlace;
  readonly mayManage: boolean;
}

/** In which state the release is, since when, and how to put it aside. */
export const ReleasePanel = ({ release, place, mayManage }: ReleasePanelProps) => {
  const path = inRelease(place);
  const park = useAction(async () => {
    await client.parkRelease({ path });
    refreshShown(projectKey(place, ''));
  });
  const now = useNow();
  const isEarly = release.state === 'planned' && release.starts_at !== null && Date.parse(release.starts_at) > now;
  const isOpen = release.state === 'planned' || release.state === 'active';
  return (
    <Panel title="This release" beside={<span class="tag">{RELEASE_STATE_TITLES[release.state]}</span>}>
      <div class="stack">
        <p>
          {isEarly
            ? 'Planned: its start lies ahead. It can be activated then, or when the start is moved.'
            : MEANINGS[release.state]}
        </p>
        <Moments release={release} />
        {mayManage && isOpen ? (
          <div class="row on-screen">
            {release.state === 'active' ? (
              <Button busy={park.running} onClick={() => void park.run()}>
                Park
              </Button>
            ) : null}
            <ConfirmButton
              text="Cancel the release"
              title={`Cancel ${release.name}?`}
              look="danger"
              perform={() => client.cancelRelease({ path })}
              onDone={() => refreshShown(projectKey(place, ''))}
            >
              <p>It will not ship, and nothing of it can be changed any more.</p>
            </ConfirmButton>
          </div>
        ) : null}
        {park.fault === undefined ? null : <FaultNotice fault={park.fault} />}
      </div>
    </Panel>
  );
};

const MEANINGS: Readonly<Record<Release['state'], string>> = {
  planned: 'Planned: test runs that name no release go to the active one.',
  active: 'Active: what the pipeline reports counts here.',
  shipped: 'Shipped: its issues, checklist and waivers stay as they are.',
  canceled: 'Canceled: it will not ship, and stays as it is.',
};

const Moments = ({ release }: { readonly release: Release }) => {
  const { starts_at, target_at, shipped_at, canceled_at, note } = release;
  const shown = [
    ['Deployments count from', starts_at],
    ['Meant to ship', target_at],
    ['Shipped', shipped_at],
    ['Canceled', canceled_at],
  ] as const;
  return (
    <dl class="facts">
      {shown.map(([title, at]) =>
        at === null ? null : (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <time dateTime={at}>{momentText(at)}</time>
            </dd>
          </div>
        ),
      )}
      {note === null ? null : (
        <div>
          <dt>Note</dt>
          <dd>{note}</dd>
        </div>
      )}
    </dl>
  );
};

/** Which of a closed release's reports this is, and the way to the other one. */
export const FrozenNotice = ({ report, place }: { readonly report: ReadinessReport; readonly place: ReleasePlace }) => {
  const { state } = report.release;
  if (state === 'canceled')
    return (
      <Notice look="attention">
        <p>This release was canceled.</p>
      </Notice>
    );
  if (state !== 'shipped') return null;
  return (
    <Notice look={report.frozen_at === undefined ? 'attention' : 'good'}>
      {report.frozen_at === undefined ? (
        <p>
          This is how the shipped release reads now.{' '}
          <a class="on-screen" href={releaseAddress(place)}>
            Show the report it shipped with
          </a>
        </p>
      ) : (
        <p>
          Shipped on {momentText(report.frozen_at)}. This is the report of that moment.{' '}
          <a class="on-screen" href={`${releaseAddress(place)}?view=live`}>
            Show how it reads now
          </a>
        </p>
      )}
    </Notice>
  );
};
