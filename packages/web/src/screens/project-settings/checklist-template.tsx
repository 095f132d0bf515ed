import type { ChecklistTemplate as KnownTemplate } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inProject, type ProjectPlace, projectKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Form as FieldForm, Labelled } from '../../parts/field.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { ProjectPage } from './project-page.js';
import { itemsOf, linesOf, templateFault } from './template-lines.js';

/** The unsaved changes, and the version they began with. */
interface Edit {
  readonly lines: string;
  readonly version: number;
}

interface FormGiven {
  readonly known: KnownTemplate;
  readonly place: ProjectPlace;
  readonly onSaved: (template: KnownTemplate) => void;
}

const Form = ({ known, place, onSaved }: FormGiven) => {
  const [edit, setEdit] = useState<Edit | undefined>(undefined);
  const [saved, setSaved] = useState(false);
  const lines = edit?.lines ?? linesOf(known.items);
  const wrong = templateFault(lines);
  const replace = async (items: KnownTemplate['items'], ifMatch: number): Promise<KnownTemplate> => {
    const { body } = await client.replaceChecklistTemplate({ path: inProject(place), body: { items }, ifMatch });
    setEdit(undefined);
    onSaved(body.data);
    return body.data;
  };
  const save = useAction(async (before: KnownTemplate, ifMatch: number) => {
    const { version } = await replace(itemsOf(lines), ifMatch);
    setSaved(true);
    offerUndo('Checklist template: saved.', async () => {
      await replace(before.items, version);
      setSaved(false);
    });
  });
  const theirs = save.fault?.current as KnownTemplate | undefined;
  return (
    <FieldForm
      fault={theirs === undefined ? save.fault : undefined}
      onSubmit={() => (wrong === undefined ? save.run(known, edit?.version ?? known.version) : undefined)}
    >
      <Labelled
        label="Items"
        hint="One item per line, at most 50. New releases start with them, in this order."
        wrong={wrong}
      >
        {(described) => (
          <textarea
            {...described}
            class="input template-lines"
            rows={Math.max(6, lines.split('\n').length + 1)}
            value={lines}
            onInput={(event) => {
              setSaved(false);
              setEdit({ lines: event.currentTarget.value, version: edit?.version ?? known.version });
            }}
          />
        )}
      </Labelled>
      {theirs === undefined ? null : (
        <Notice look="attention">
          <p role="alert">
            Version {theirs.version} of the template was saved while you were changing it. Yours is not saved. It now
            has: {theirs.items.map(({ title }) => isolated(title)).join(', ') || 'no item'}.
          </p>
          <p class="row">
            <Button
              compact
              onClick={() => {
                save.clear();
                setEdit(undefined);
                onSaved(theirs);
              }}
            >
              Keep theirs
            </Button>
            <Button compact busy={save.running} onClick={() => void save.run(theirs, theirs.version)}>
              Set mine
            </Button>
          </p>
        </Notice>
      )}
      <div class="row">
        <Button submit look="main" busy={save.running} idle={edit === undefined}>
          Save the template
        </Button>
        {edit === undefined ? null : <Button onClick={() => setEdit(undefined)}>Undo my changes</Button>}
        <span role="status" class="small soft">
          {saved ? 'Saved.' : edit === undefined ? '' : 'Not saved yet.'}
        </span>
      </div>
    </FieldForm>
  );
};

const Loaded = ({ place, owner }: Pick<FormGiven, 'place'> & { readonly owner: boolean }) => {
  const template = useResource(projectKey(place, 'checklist-template'), async (signal) => {
    return (await client.readChecklistTemplate({ path: inProject(place), signal })).body.data;
  });
  return (
    <Panel title="Checklist template">
      <div class="stack">
        <p class="measure">
          Every new release starts with these items. They cannot be removed from a release, only marked as not
          applicable with a reason. Existing releases keep their items.
        </p>
        <Shown of={template} lines={3}>
          {(known) =>
            owner ? (
              <Form known={known} place={place} onSaved={template.put} />
            ) : known.items.length === 0 ? (
              <p>No item. Owners of the team change the template.</p>
            ) : (
              <>
                <ul class="lines">
                  {known.items.map(({ title }) => (
                    <li key={title}>{title}</li>
                  ))}
                </ul>
                <p class="small soft">Owners of the team change the template.</p>
              </>
            )
          }
        </Shown>
      </div>
    </Panel>
  );
};

/** What the launch checklist of the project's new releases starts with. */
export const ChecklistTemplateSettings = () => (
  <ProjectPage title="Checklist template">{({ place, owner }) => <Loaded place={place} owner={owner} />}</ProjectPage>
);
