import type { Policy as KnownPolicy } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { usePaged } from '../../../api/paged.js';
import { useResource } from '../../../api/resource.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace, projectKey } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { FaultNotice, Notice } from '../../../parts/notice.js';
import { Shown } from '../../../parts/shown.js';
import { ProjectPage } from '../project-page.js';
import { Conflict } from './conflict.js';
import { Fields } from './fields.js';
import { draftOf, type PolicyDraft, readDraft } from './policy-draft.js';
import { Preview } from './preview.js';
import { Versions } from './versions.js';

/** What somebody is changing, and the version they began with. */
interface Edit {
  readonly draft: PolicyDraft;
  readonly version: number;
}

interface FormGiven {
  readonly known: KnownPolicy;
  readonly place: ProjectPlace;
  readonly owner: boolean;
  readonly onSaved: (policy: KnownPolicy) => void;
}

const Form = ({ known, place, owner, onSaved }: FormGiven) => {
  const [edit, setEdit] = useState<Edit | undefined>(undefined);
  const [saved, setSaved] = useState(false);
  const draft = edit?.draft ?? draftOf(known);
  const { policy, wrong } = readDraft(draft);
  const faulty = Object.keys(wrong).length > 0;
  const save = useAction(async (ifMatch: number) => {
    const { body } = await client.replacePolicy({ path: inProject(place), body: policy, ifMatch });
    setEdit(undefined);
    setSaved(true);
    onSaved(body.data);
  });
  const theirs = save.fault?.current as KnownPolicy | undefined;
  const change = (members: Partial<PolicyDraft>) => {
    setSaved(false);
    setEdit({ draft: { ...draft, ...members }, version: edit?.version ?? known.version });
  };
  return (
    <form
      class="stack wide"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!faulty) void save.run(edit?.version ?? known.version);
      }}
    >
      {owner ? null : (
        <Notice look="attention">
          <p>Owners of the team change the policy. You can try what another one would decide; nothing is saved.</p>
        </Notice>
      )}
      <div class="policy">
        <div class="stack wide">
          <Fields draft={draft} wrong={{ ...save.fault?.fields, ...wrong }} change={change} place={place} />
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
          onMine={() => void save.run(theirs.version)}
        />
      )}
      {save.fault === undefined || theirs !== undefined ? null : <FaultNotice fault={{ ...save.fault, fields: {} }} />}
      <div class="row save-bar">
        {owner ? (
          <Button submit look="main" busy={save.running || edit === undefined || faulty}>
            Save the policy
          </Button>
        ) : null}
        {edit === undefined ? null : <Button onClick={() => setEdit(undefined)}>Undo my changes</Button>}
        <span role="status" class="small soft">
          {saved ? `Saved as version ${known.version}. ` : ''}
          {edit === undefined ? `Version ${known.version} is in force.` : 'Not saved yet.'}
        </span>
      </div>
    </form>
  );
};

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
      <Versions versions={versions} />
    </>
  );
};

/** What the project demands of a release: to be tried on past releases, changed, and looked back on. */
export const Policy = () => (
  <ProjectPage title="Gate policy">{({ place, owner }) => <Loaded place={place} owner={owner} />}</ProjectPage>
);
