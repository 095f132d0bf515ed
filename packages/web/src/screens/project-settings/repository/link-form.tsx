import type { RepositoryLink } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useResource } from '../../../api/resource.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace, projectKey } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Checkbox, CheckboxGroup, Choice, Form, TextField } from '../../../parts/field.js';
import { Panel } from '../../../parts/page.js';
import { offerUndo } from '../../../parts/undo.js';
import { isolated } from '../../../wording/isolate.js';
import { type LinkDraft, linkDraftOf, linkRequest, MAPPING_FIELDS, NEW_LINK, numbersIn } from './link-draft.js';

interface LinkFormProps {
  readonly place: ProjectPlace;
  /** Owner and name of the repository. */
  readonly repository: string;
  /** undefined: not linked yet. */
  readonly link: RepositoryLink | undefined;
  readonly onDone: (link: RepositoryLink) => void;
  readonly children?: ComponentChildren;
}

/** What is imported from the repository, to be linked or changed. */
export const LinkForm = ({ place, repository, link, onDone, children }: LinkFormProps) => {
  const [draft, setDraft] = useState(link === undefined ? NEW_LINK : linkDraftOf(link));
  const [saved, setSaved] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form replaces the list of repositories, so it also takes the focus.
    if (link === undefined) form.current?.querySelector('select')?.focus();
  }, []);
  const save = useAction(async () => {
    const set = async (wanted: LinkDraft) => {
      const sent = { path: inProject(place), body: linkRequest(repository, wanted) };
      const { data } = (await client.linkRepository(sent)).body;
      setDraft(linkDraftOf(data));
      onDone(data);
    };
    await set(draft);
    setSaved(true);
    if (link === undefined) return;
    offerUndo('What is imported: saved.', async () => {
      await set(linkDraftOf(link));
      setSaved(false);
    });
  });
  return (
    <Panel title={link === undefined ? `Link ${isolated(repository)}` : 'What is imported'}>
      <Form fault={save.fault} fields={FIELDS} onSubmit={() => save.run()}>
        <div class="stack" ref={form}>
          <LinkFields
            place={place}
            linked={link !== undefined}
            draft={draft}
            wrong={save.fault?.fields ?? {}}
            onChange={(next) => {
              setSaved(false);
              setDraft(next);
            }}
          />
        </div>
        <div class="row">
          <Button submit look="main" busy={save.running}>
            {link === undefined ? 'Link the repository' : 'Save'}
          </Button>
          {children}
          <span role="status" class="small soft">
            {saved ? 'Saved. Importing again.' : ''}
          </span>
        </div>
      </Form>
    </Panel>
  );
};

const FIELDS = ['/milestones', '/test_runs', '/issue_filter/labels', '/issue_filter/path_prefix', '/mapping'];

/** The fault of a list or of one of its items. */
const faultWithin = (wrong: Readonly<Record<string, string>>, list: string): string | undefined =>
  Object.entries(wrong).find(([pointer]) => pointer === list || pointer.startsWith(`${list}/`))?.[1];

interface LinkFieldsProps {
  readonly place: ProjectPlace;
  readonly linked: boolean;
  readonly draft: LinkDraft;
  readonly wrong: Readonly<Record<string, string>>;
  readonly onChange: (draft: LinkDraft) => void;
}

/** What is imported from a repository, and what its labels and types mean. */
const LinkFields = ({ place, linked, draft, wrong, onChange }: LinkFieldsProps) => {
  const change = (members: Partial<LinkDraft>) => onChange({ ...draft, ...members });
  return (
    <>
      <Choice
        label="Milestones that become releases"
        value={draft.which}
        choices={[
          ['all', 'All open ones'],
          ['some', 'Only some'],
          ['none', 'None: releases are made here'],
        ]}
        onValue={(which) => change({ which })}
        wrong={faultWithin(wrong, '/milestones')}
      />
      {draft.which === 'some' ? (
        <MilestoneField
          place={place}
          linked={linked}
          chosen={draft.milestones}
          onChosen={(milestones) => change({ milestones })}
        />
      ) : null}
      <Choice
        label="Test runs"
        hint="Read from the repository host while your pipeline reports none."
        value={draft.testRuns}
        choices={[
          ['checks', 'Checks of the newest commit'],
          ['workflows', 'Workflow runs'],
          ['none', 'None: the pipeline reports them'],
        ]}
        onValue={(testRuns) => change({ testRuns })}
        wrong={wrong['/test_runs']}
      />
      <Checkbox
        label="Import deployments"
        hint="Leave it out when your pipeline reports them here itself, or they count twice."
        checked={draft.deployments}
        onChecked={(deployments) => change({ deployments })}
      />
      <details>
        <summary>Only some issues of the repository</summary>
        <div class="stack">
          <TextField
            label="Issues with one of these labels"
            hint="By commas. Empty: any labels."
            value={draft.labels}
            onValue={(labels) => change({ labels })}
            wrong={faultWithin(wrong, '/issue_filter/labels')}
          />
          <TextField
            label="Issues of this path"
            hint="For several projects in one repository: a path their titles or labels name. Empty: all."
            placeholder="packages/pay"
            value={draft.path}
            onValue={(path) => change({ path })}
            wrong={wrong['/issue_filter/path_prefix']}
          />
        </div>
      </details>
      <details>
        <summary>What labels and types mean</summary>
        <div class="stack">
          <p class="small soft measure">
            Labels or types of the repository, by commas. Empty: the usual ones, such as “bug” and “enhancement”.
          </p>
          {MAPPING_FIELDS.map(([field, title]) => (
            <TextField
              key={field}
              label={title}
              value={draft.mapping[field]}
              onValue={(text) => change({ mapping: { ...draft.mapping, [field]: text } })}
              wrong={faultWithin(wrong, `/mapping/${field}`)}
            />
          ))}
        </div>
      </details>
    </>
  );
};

interface MilestoneFieldProps {
  readonly place: ProjectPlace;
  /** Whether the project is linked, so that its milestones can be read. */
  readonly linked: boolean;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

/** Some milestones: from the list where it can be read, else by their numbers. */
const MilestoneField = (props: MilestoneFieldProps) =>
  props.linked ? <FromList {...props} /> : <ByNumber chosen={props.chosen} onChosen={props.onChosen} />;

const LISTED = 100;

const FromList = ({ place, chosen, onChosen }: MilestoneFieldProps) => {
  const milestones = useResource(
    projectKey(place, 'milestones'),
    async (signal) => {
      const { body } = await client.listMilestones({ path: inProject(place), query: { limit: LISTED }, signal });
      return body.data;
    },
    { isReadRegularly: false },
  );
  const { value, fault } = milestones.state.value;
  if (value === undefined && fault === undefined) return <p class="soft">Reading the milestones…</p>;
  if (value === undefined || value.length === 0) return <ByNumber chosen={chosen} onChosen={onChosen} />;
  return (
    <CheckboxGroup
      legend="Milestones"
      choices={value.map(({ number, title, state }) => [
        String(number),
        state === 'closed' ? `${isolated(title)} (closed)` : title,
      ])}
      chosen={chosen}
      onChosen={onChosen}
    />
  );
};

const ByNumber = ({ chosen, onChosen }: Pick<MilestoneFieldProps, 'chosen' | 'onChosen'>) => {
  const [text, setText] = useState(chosen.join(', '));
  return (
    <TextField
      label="Numbers of the milestones"
      hint="As in their addresses. Once linked, they are listed here."
      placeholder="12, 14"
      value={text}
      onValue={(value) => {
        setText(value);
        onChosen(numbersIn(value));
      }}
    />
  );
};
