import type { ReadinessReport, Release } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import type { CallFault } from '../../api/fault.js';
import { refreshShown } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inRelease, projectKey, type ReleasePlace, releaseAddress } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton, Dialog } from '../../parts/dialog.js';
import { Choice, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { useNow } from '../../parts/moment.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { DecisionBadge } from '../../parts/score-figure.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated, withIsolatedNames } from '../../wording/isolate.js';
import { dateText, momentText } from '../../wording/moments.js';
import { RELEASE_STATE_TITLES, readingsOf, waiversText } from '../../wording/names.js';
import { coverageText, scoreDigits } from '../../wording/numbers.js';
import { shippedText } from './scorecard-words.js';
import './shipped.css';

interface ReleasePanelProps {
  readonly release: Release;
  readonly place: ReleasePlace;
  readonly mayManage: boolean;
}

/** The state of the release, since when, and the buttons that park or cancel it. */
export const ReleasePanel = ({ release, place, mayManage }: ReleasePanelProps) => {
  const path = inRelease(place);
  const park = useAction(async () => {
    await client.parkRelease({ path });
    refreshShown(projectKey(place, ''));
    offerUndo(`${isolated(release.name)}: parked.`, async () => {
      await client.activateRelease({ path });
      refreshShown(projectKey(place, ''));
    });
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
                Move to planned
              </Button>
            ) : null}
            <ConfirmButton
              text="Cancel release"
              keep="Keep release"
              title={`Cancel ${isolated(release.name)}?`}
              look="danger"
              perform={() => client.cancelRelease({ path })}
              onDone={() => refreshShown(projectKey(place, ''))}
            >
              <p>It will not ship, and nothing of it can be changed any more. This cannot be undone.</p>
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
    ['Target date', target_at],
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
              <time dateTime={at}>{title === 'Target date' ? dateText(at) : momentText(at)}</time>
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

interface ClosedNoticeProps {
  readonly report: ReadinessReport;
  readonly release: Release;
  readonly place: ReleasePlace;
}

/** Which of a closed release's reports this is, and the way to the other one. */
export const ClosedReportNotice = ({ report, release, place }: ClosedNoticeProps) => {
  const { state } = release;
  if (state === 'canceled')
    return (
      <Notice look="attention">
        <p>This release was canceled.</p>
      </Notice>
    );
  if (state !== 'shipped') return null;
  if (report.frozen_at !== undefined) return <Shipped report={report} release={release} place={place} />;
  return (
    <Notice look="attention">
      <p>
        This is how the shipped release reads now.{' '}
        <a class="on-screen" href={releaseAddress(place)}>
          Show the report it shipped with
        </a>
      </p>
    </Notice>
  );
};

/** A release that shipped less than this ago, in milliseconds, is shown with an animation. */
const JUST_SHIPPED_MS = 60_000;

/** What has shipped, with what, and after how long. */
const Shipped = ({ report, release, place }: ClosedNoticeProps) => {
  const at = release.shipped_at ?? report.as_of;
  const isFresh = Date.now() - Date.parse(at) < JUST_SHIPPED_MS;
  return (
    <section class={isFresh ? 'shipped fresh' : 'shipped'} aria-labelledby="shipped">
      <Icon name="ship" />
      <div>
        <h2 id="shipped">
          {isolated(report.project.name)} {isolated(release.name)} has shipped
        </h2>
        <p>{shippedText(report, release)}</p>
        <p class="small soft">
          Shipped on {momentText(at)}. This is the report of that moment.{' '}
          <a class="on-screen" href={`${releaseAddress(place)}?view=live`}>
            Show how it reads now
          </a>
        </p>
      </div>
    </section>
  );
};

interface MovesProps extends ActivateProps {
  readonly report: ReadinessReport;
}

/** The button for the next step of a release, such as ship, for people who may take that step. */
export const ReleaseMoves = ({ report, startsAt, place }: MovesProps) => {
  const [shipping, setShipping] = useState(false);
  const { state } = report.release;
  if (state === 'planned') return <Activate startsAt={startsAt} place={place} />;
  if (state !== 'active') return null;
  return (
    <>
      <Button look="main" onClick={() => setShipping(true)}>
        <Icon name="ship" />
        Ship …
      </Button>
      {shipping ? <ShipDialog report={report} place={place} onClose={() => setShipping(false)} /> : null}
    </>
  );
};

const CHOICES = [
  ['park', 'Move it to planned'],
  ['ship', 'Ship it'],
] as const;

type ActiveRelease = NonNullable<CallFault['active']>;

interface ActivateProps {
  /** The start of the release's window; null: its first activation sets it, for good. */
  readonly startsAt: string | null;
  readonly place: ReleasePlace;
}

/** Makes the release the active one; where another one is active, asks whether to park or to ship that one. */
const Activate = ({ startsAt, place }: ActivateProps) => {
  const [current, setCurrent] = useState<'park' | 'ship'>('park');
  const [asking, setAsking] = useState(false);
  const [answered, setAnswered] = useState<ActiveRelease | undefined>(undefined);
  const activate = useAction(
    async (body?: { readonly current: 'park' | 'ship'; readonly current_release_id: string }) => {
      const path = inRelease(place);
      const { data } = (await client.activateRelease({ path, ...(body === undefined ? {} : { body }) })).body;
      setAsking(false);
      refreshShown(projectKey(place, ''));
      // Where another release was parked or shipped too, no single step takes all of it back.
      if (body !== undefined) return;
      offerUndo(`${isolated(data.name)}: activated.${startsAt === null ? ' Undo keeps the start.' : ''}`, async () => {
        await client.parkRelease({ path });
        refreshShown(projectKey(place, ''));
      });
    },
  );
  const { fault } = activate;
  const taken = fault?.active;
  const close = () => {
    setAsking(false);
    activate.clear();
  };
  const answer = async (about: ActiveRelease) => {
    setAnswered(about);
    // The choice is for this release only: where another one is active by now, the person chooses anew.
    setCurrent('park');
    await activate.run({ current, current_release_id: about.id });
  };
  return (
    <>
      <Button
        look="main"
        busy={activate.running}
        onClick={() => {
          setAsking(true);
          setAnswered(undefined);
          setCurrent('park');
          void activate.run();
        }}
      >
        Activate
      </Button>
      {!asking || fault === undefined ? null : (
        <Dialog
          title={taken === undefined ? 'Not activated' : 'Another release is active'}
          onClose={close}
          onSubmit={() => (taken === undefined ? undefined : answer(taken))}
          fault={taken === undefined ? fault : undefined}
        >
          {taken === undefined ? null : (
            <>
              {answered === undefined || answered.id === taken.id ? null : (
                <Notice look="attention">
                  <p role="alert">{isolated(answered.name)} is no longer active. Nothing has been changed.</p>
                </Notice>
              )}
              <p>The release {isolated(taken.name)} is active. A project has one active release at a time.</p>
              <Choice
                label="What happens to it"
                hint="A release that has shipped stays shipped: this cannot be undone."
                value={current}
                choices={CHOICES}
                onValue={setCurrent}
              />
            </>
          )}
          <div class="row">
            {taken === undefined ? null : (
              <Button look="main" submit busy={activate.running}>
                Activate this one
              </Button>
            )}
            <Button onClick={close}>{taken === undefined ? 'Close' : 'Cancel'}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
};

interface ShipDialogProps {
  readonly report: ReadinessReport;
  readonly place: ReleasePlace;
  readonly onClose: () => void;
}

/** Ships the release. Shows before what the gate says, which is frozen with it; the gate itself never refuses. */
const ShipDialog = ({ report, place, onClose }: ShipDialogProps) => {
  const [note, setNote] = useState('');
  const ship = useAction(async () => {
    await client.shipRelease({ path: inRelease(place), ...(note.trim() === '' ? {} : { body: { note } }) });
    refreshShown(projectKey(place, ''));
  });
  const submit = async () => {
    if (await ship.run()) onClose();
  };
  const { gate, score, release } = report;
  const against = gate.reasons.filter(({ waived }) => !waived);
  return (
    <Dialog
      title={`Ship ${isolated(release.name)}?`}
      onClose={onClose}
      fault={ship.fault}
      fields={['/note']}
      onSubmit={submit}
    >
      <p class="row">
        <DecisionBadge decision={gate.decision} />
        <span class="number">
          {coverageText(readingsOf(report))}, {score === null ? 'no score' : `score ${scoreDigits(score)}`}
        </span>
      </p>
      {gate.waivers.length === 0 ? null : <p>{waiversText(gate)}</p>}
      {against.length === 0 ? null : (
        <Notice look="attention">
          <p>You can ship all the same. What speaks against it is kept with the release:</p>
          <ul class="bullets">
            {against.map(({ code, axis, message }) => (
              <li key={`${code} ${axis ?? ''}`}>{withIsolatedNames(message)}</li>
            ))}
          </ul>
        </Notice>
      )}
      <p>This cannot be undone: its issues, checklist and waivers stay as they are, and so does this report.</p>
      <TextField
        label="Note"
        hint="May stay empty. Kept with the release."
        value={note}
        onValue={setNote}
        wrong={ship.fault?.fields['/note']}
        autocomplete="off"
      />
      <div class="row">
        <Button look="main" submit busy={ship.running}>
          Ship {isolated(release.name)}
        </Button>
        <Button autofocus onClick={onClose}>
          Not yet
        </Button>
      </div>
    </Dialog>
  );
};
