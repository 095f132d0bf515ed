import type { ProjectPlace } from '../../../navigation/places.js';
import { Choice, TextField } from '../../../parts/field.js';
import { Tick } from '../../../parts/tick.js';
import { type LinkDraft, WORDS } from './link-draft.js';
import { MilestoneField } from './milestone-field.js';

interface LinkFieldsProps {
  readonly place: ProjectPlace;
  readonly linked: boolean;
  readonly draft: LinkDraft;
  readonly wrong: Readonly<Record<string, string>>;
  readonly onChange: (draft: LinkDraft) => void;
}

/** What is imported from a repository, and what its words mean. */
export const LinkFields = ({ place, linked, draft, wrong, onChange }: LinkFieldsProps) => {
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
        wrong={wrong['/milestones']}
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
        hint="What the repository host stands in with while your pipeline reports none itself."
        value={draft.testRuns}
        choices={[
          ['checks', 'Checks of the newest commit'],
          ['workflows', 'Workflow runs'],
          ['none', 'None: the pipeline reports them'],
        ]}
        onValue={(testRuns) => change({ testRuns })}
        wrong={wrong['/test_runs']}
      />
      <Tick
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
            hint="By commas. Empty: whatever the labels."
            value={draft.labels}
            onValue={(labels) => change({ labels })}
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
          {WORDS.map(([word, title]) => (
            <TextField
              key={word}
              label={title}
              value={draft.words[word]}
              onValue={(text) => change({ words: { ...draft.words, [word]: text } })}
              wrong={wrong[`/mapping/${word}`]}
            />
          ))}
        </div>
      </details>
    </>
  );
};
