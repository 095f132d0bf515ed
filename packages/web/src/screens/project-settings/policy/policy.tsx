import type { Policy as KnownPolicy, PolicyPreview, PolicyRequest, PolicyVersion } from '@shipworthy/client';
import { useRef, useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { type Paged, usePaged } from '../../../api/paged.js';
import { useResource } from '../../../api/resource.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace, projectKey, releaseAddress } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Form as FieldForm, useSettled } from '../../../parts/field.js';
import { ExportCsv } from '../../../parts/list-filter.js';
import { Moment } from '../../../parts/moment.js';
import { FaultNotice, Notice } from '../../../parts/notice.js';
import { Panel } from '../../../parts/page.js';
import { DecisionBadge } from '../../../parts/score-figure.js';
import { Shown, Skeleton } from '../../../parts/shown.js';
import { ShowMore, Table } from '../../../parts/table.js';
import { offerUndo } from '../../../parts/undo.js';
import { isolated } from '../../../wording/isolate.js';
import { countOf, scoreDigits } from '../../../wording/numbers.js';
import { ProjectPage } from '../project-page.js';
import { differencesOf, type PolicyDraft, policyDraftOf, readDraft } from './policy-draft.js';
import { PolicyFields } from './policy-fields.js';

/** The project's policy: a form to change it, its effect on past releases, and all former versions. */
export const PolicySettings = () => (
  <ProjectPage title="Gate policy">{({ place, owner }) => <Loaded place={place} owner={owner} />}</ProjectPage>
);

/** JSON pointers of the values whose faults are shown at a field. */
const FIELDS = [
  ...['/weights', '/minimums', '/threshold', '/environments', '/freshness_hours', '/max_open_critical_bugs'],
  ...['/min_finished_deployments', '/silence_hours'],
];

interface FormGiven {
  readonly known: KnownPolicy;
  readonly place: ProjectPlace;
  readonly owner: boolean;
  readonly onSaved: (policy: KnownPolicy) => void;
}

const Loaded = ({ place, owner }: Pick<FormGiven, 'place' | 'owner'>) => {
  const path = inProject(place);
  const policy = useResource(projectKey(place, 'policy'), async (signal) => {
    return (await client.readPolicy({ path, signal })).body.data;
  });
  const versions = usePaged(projectKey(place, 'policy/versions'), async (query, signal) => {
    return (await client.listPolicyVersions({ path, query, signal })).body;
  });
  return (
    <>
      <Shown of={policy}>
        {(known) => (
          <Form
            known={known}
            place={place}
            owner={owner}
            onSaved={(next) => {
              policy.put(next);
              void versions.refresh();
            }}
          />
        )}
      </Shown>
      <Versions versions={versions} place={place} />
    </>
  );
};

/** The unsaved changes, and the version they began with. */
interface Edit {
  readonly draft: PolicyDraft;
  readonly version: number;
}

const Form = ({ known, place, owner, onSaved }: FormGiven) => {
  const [edit, setEdit] = useState<Edit | undefined>(undefined);
  const [saved, setSaved] = useState(false);
  const draft = edit?.draft ?? policyDraftOf(known);
  const { policy, wrong } = readDraft(draft);
  const faulty = Object.keys(wrong).length > 0;
  const replace = async (wanted: PolicyRequest, ifMatch: number): Promise<KnownPolicy> => {
    const { body } = await client.replacePolicy({ path: inProject(place), body: wanted, ifMatch });
    setEdit(undefined);
    onSaved(body.data);
    return body.data;
  };
  const save = useAction(async (before: KnownPolicy, ifMatch: number) => {
    const { version } = await replace(policy, ifMatch);
    setSaved(true);
    offerUndo(`Gate policy: version ${version} saved.`, async () => {
      await replace(readDraft(policyDraftOf(before)).policy, version);
      setSaved(false);
    });
  });
  const theirs = save.fault?.current as KnownPolicy | undefined;
  const change = (members: Partial<PolicyDraft>) => {
    setSaved(false);
    setEdit({ draft: { ...draft, ...members }, version: edit?.version ?? known.version });
  };
  return (
    <FieldForm
      look="stack wide"
      fault={theirs === undefined ? save.fault : undefined}
      fields={FIELDS}
      onSubmit={() => (faulty ? undefined : save.run(known, edit?.version ?? known.version))}
    >
      {owner ? null : (
        <Notice look="attention">
          <p>Owners of the team change the policy. You can try other values here; nothing is saved.</p>
        </Notice>
      )}
      <div class="policy">
        <div class="stack wide">
          <PolicyFields draft={draft} wrong={{ ...save.fault?.fields, ...wrong }} change={change} place={place} />
        </div>
        <div class="policy-side">
          <Preview policy={policy} wrong={faulty} place={place} />
        </div>
      </div>
      {theirs === undefined ? null : (
        <Conflict
          theirs={theirs}
          mine={policy}
          busy={save.running}
          onTheirs={() => {
            save.clear();
            setEdit(undefined);
            onSaved(theirs);
          }}
          onMine={() => void save.run(theirs, theirs.version)}
        />
      )}
      <div class="row save-bar">
        {owner ? (
          <Button submit look="main" busy={save.running} idle={edit === undefined}>
            Save the policy
          </Button>
        ) : null}
        {edit === undefined ? null : <Button onClick={() => setEdit(undefined)}>Undo my changes</Button>}
        <span role="status" class="small soft">
          {saved ? `Saved as version ${known.version}. ` : ''}
          {edit === undefined ? `Version ${known.version} is in force.` : 'Not saved yet.'}
        </span>
      </div>
    </FieldForm>
  );
};

interface ConflictProps {
  readonly theirs: KnownPolicy;
  readonly mine: PolicyRequest;
  readonly busy: boolean;
  readonly onTheirs: () => void;
  readonly onMine: () => void;
}

/** Shows where two policies differ after another person saved theirs first, and lets the person choose. */
const Conflict = ({ theirs, mine, busy, onTheirs, onMine }: ConflictProps) => {
  const differences = differencesOf(theirs, mine);
  return (
    <div class="stack">
      <Notice look="attention">
        <p role="alert">
          Someone else saved version {theirs.version} of the policy while you were changing it.{' '}
          {differences.length === 0 ? 'It says the same as yours.' : 'Yours is not saved. They differ in:'}
        </p>
      </Notice>
      {differences.length === 0 ? null : (
        <Table label="Differences" heads={['Demand', 'Theirs', 'Yours']}>
          {differences.map(({ title, first, second }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>{first}</td>
              <td>{second}</td>
            </tr>
          ))}
        </Table>
      )}
      <div class="row">
        <Button onClick={onTheirs}>Take theirs</Button>
        <Button busy={busy} onClick={onMine}>
          Save mine over it
        </Button>
      </div>
    </div>
  );
};

/** Every policy the project had, newest first: who made it, when, and what it changed. */
const Versions = ({ versions, place }: { readonly versions: Paged<PolicyVersion>; readonly place: ProjectPlace }) => (
  <Panel title="Versions" beside={<ExportCsv place={place} file="policy/versions.csv" of="versions" />}>
    <Shown of={versions} lines={2}>
      {({ rows }) => (
        <div class="stack">
          <ol class="stack">
            {rows.map((each, at) => (
              <li key={each.version}>
                <strong>Version {each.version}</strong>{' '}
                <span class="soft small">
                  {each.changed_by === null ? 'the defaults' : `by ${isolated(each.changed_by)}`},{' '}
                  <Moment at={each.changed_at} />
                </span>
                <Changes version={each} before={rows[at + 1]} />
              </li>
            ))}
          </ol>
          <ShowMore of={versions} rows="versions" />
        </div>
      )}
    </Shown>
  </Panel>
);

const Changes = ({
  version,
  before,
}: {
  readonly version: PolicyVersion;
  readonly before: PolicyVersion | undefined;
}) => {
  if (before === undefined) return null;
  const changes = differencesOf(before.policy, version.policy);
  return (
    <ul class="small">
      {changes.length === 0 ? <li class="soft">Nothing is different.</li> : null}
      {changes.map(({ title, first, second }) => (
        <li key={title}>
          {title}: {first} → <strong>{second}</strong>
        </li>
      ))}
    </ul>
  );
};

interface PreviewProps {
  readonly policy: PolicyRequest;
  /** Whether the policy has a fault, so that no release can be judged by it. */
  readonly wrong: boolean;
  readonly place: ProjectPlace;
}

/** The gate's decisions on past releases under the unsaved policy of the form. */
const Preview = ({ policy, wrong, place }: PreviewProps) => {
  // A policy with a fault is never sent to the server, not even in the pause before its correction settles.
  const settled = useSettled(wrong ? null : JSON.stringify(policy));
  const judged = settled === null ? <Skeleton /> : <Judged policy={settled} place={place} />;
  return (
    <Panel title="What it would decide">{wrong ? <p class="soft">Correct what is marked to see it.</p> : judged}</Panel>
  );
};

const Judged = ({ policy, place }: { readonly policy: string; readonly place: ProjectPlace }) => {
  const last = useRef<PolicyPreview | undefined>(undefined);
  const preview = useResource(
    projectKey(place, `preview/${policy}`),
    async (signal) => {
      const body: PolicyRequest = JSON.parse(policy);
      return (await client.previewPolicy({ path: inProject(place), body, signal })).body.data;
    },
    { isReadRegularly: false },
  );
  const { value, fault, reading } = preview.state.value;
  last.current = value ?? last.current;
  if (fault !== undefined) return <FaultNotice fault={fault} onRetry={() => void preview.refresh()} />;
  if (last.current === undefined) return <Skeleton />;
  return (
    <div aria-busy={reading}>
      <Outcome preview={last.current} place={place} />
    </div>
  );
};

const LISTED = 12;

const score = (value: number | null): string => (value === null ? 'no score' : scoreDigits(value));

const Rows = ({ preview, place }: { readonly preview: PolicyPreview; readonly place: ProjectPlace }) => {
  const held = new Set(preview.would_have_held);
  return (
    <ul class="preview">
      {preview.releases.slice(0, LISTED).map(({ release, before, after, flips }) => (
        <li key={release.id}>
          <span>
            <a href={releaseAddress({ ...place, releaseId: release.id })}>
              <bdi>{release.name}</bdi>
            </a>{' '}
            <span class="small soft">{release.state}</span>
          </span>
          <span class="flip">
            <DecisionBadge decision={before.decision} />
            {flips ? (
              <>
                {' → '}
                <DecisionBadge decision={after.decision} />
              </>
            ) : null}
          </span>
          <span class="small soft">
            {score(before.score) === score(after.score)
              ? score(after.score)
              : `${score(before.score)} → ${score(after.score)}`}
            {held.has(release.id) ? '; shipped with failed deployments, would have been held' : ''}
          </span>
        </li>
      ))}
    </ul>
  );
};

const Outcome = ({ preview, place }: { readonly preview: PolicyPreview; readonly place: ProjectPlace }) => {
  const { considered, flips, would_have_held_count: held } = preview;
  if (considered === 0) return <p class="soft">There is no release yet whose decision could change.</p>;
  return (
    <div class="stack">
      <p role="status">
        <strong>
          {flips === 0 ? 'No decision changes' : `${countOf(flips, 'decision')} of ${considered} changes`}
        </strong>
        {held === 0
          ? '.'
          : `; ${countOf(held, 'release')} that shipped and had failed deployments would have been held.`}
      </p>
      <Rows preview={preview} place={place} />
      {considered > LISTED ? (
        <p class="small soft">
          The first {LISTED} of {countOf(considered, 'release')}; those that change come first.
        </p>
      ) : null}
    </div>
  );
};
