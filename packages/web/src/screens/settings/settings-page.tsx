import type { ComponentChildren } from 'preact';
import { visitor } from '../../api/session.js';
import { HOST_SCREEN, SETTINGS } from '../../navigation/places.js';
import { PageFrame, Tabs } from '../../parts/page.js';

const PLACES = [
  ['API keys', SETTINGS],
  ['Repository host', HOST_SCREEN, 'host'],
  ['Account', `${SETTINGS}/account`],
  ['Archived', `${SETTINGS}/archived`],
] as const;
/** Shown to administrators only. */
const PEOPLE = ['People', `${SETTINGS}/people`] as const;

interface SettingsPageProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of a person's own settings. */
export const SettingsPage = ({ title, actions, children }: SettingsPageProps) => {
  const who = visitor.value;
  const isAdministrator = who.kind === 'signed_in' && who.user.administrator;
  return (
    <PageFrame title={title} actions={actions}>
      <Tabs label="Settings" places={isAdministrator ? [...PLACES, PEOPLE] : PLACES} />
      <div class="stack wide settings">{children}</div>
    </PageFrame>
  );
};
