import type { RepositoryLink } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { FaultNotice } from '../../../parts/notice.js';
import { Panel } from '../../../parts/page.js';
import { draftOf, NEW_LINK, requestOf } from './link-draft.js';
import { LinkFields } from './link-fields.js';

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
  const [draft, setDraft] = useState(link === undefined ? NEW_LINK : draftOf(link));
  const [saved, setSaved] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // It takes the place of the list that was picked from, and so the focus.
    if (link === undefined) form.current?.querySelector('select')?.focus();
  }, []);
  const save = useAction(async () => {
    const { body } = await client.linkRepository({ path: inProject(place), body: requestOf(repository, draft) });
    setSaved(true);
    onDone(body.data);
  });
  return (
    <Panel title={link === undefined ? `Link ${repository}` : 'What is imported'}>
      <form
        ref={form}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
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
        {save.fault === undefined ? null : <FaultNotice fault={{ ...save.fault, fields: {} }} />}
        <div class="row">
          <Button submit look="main" busy={save.running}>
            {link === undefined ? 'Link the repository' : 'Save'}
          </Button>
          {children}
          <span role="status" class="small soft">
            {saved ? 'Saved; it is read anew.' : ''}
          </span>
        </div>
      </form>
    </Panel>
  );
};
