import { type ComponentType, render } from 'preact';
import { ErrorBoundary, LocationProvider, Router, useLocation } from 'preact-iso';
import { findVisitor, sessionEnded, visitor } from './api/session.js';
import {
  GATE_CHANGES,
  HOME,
  HOST_SCREEN,
  INVITATION,
  projectAddress,
  releaseAddress,
  SETTINGS,
  SETUP,
  teamAddress,
  WELCOME,
} from './navigation/places.js';
import { FaultNotice } from './parts/notice.js';
import { PageNotFound } from './parts/page.js';
import { Skeleton } from './parts/shown.js';
import { Checklist } from './screens/checklist/checklist.js';
import { Portfolio } from './screens/portfolio/portfolio.js';
import { ProjectScreen } from './screens/project/project.js';
import { Scorecard } from './screens/scorecard/scorecard.js';
import { SignIn, SignInAgain } from './screens/sign-in.js';
import { Boundary, later } from './shell/later.js';
import { AppShell } from './shell/shell.js';
import './style/index.css';

// These screens are loaded on their first visit, so that the screens of a launch day load fast.
const Account = later(async () => (await import('./screens/settings/account.js')).Account);
const Archived = later(async () => (await import('./screens/settings/archived.js')).Archived);
const Analysis = later(async () => (await import('./screens/analysis/analysis.js')).Analysis);
const ApiKeys = later(async () => (await import('./screens/settings/api-keys.js')).ApiKeys);
const AxisScreen = later(async () => (await import('./screens/axis/axis.js')).AxisScreen);
const BadgeSettings = later(async () => (await import('./screens/project-settings/badge.js')).BadgeSettings);
const Audit = later(async () => (await import('./screens/team/audit.js')).Audit);
const ChecklistTemplateSettings = later(
  async () => (await import('./screens/project-settings/checklist-template.js')).ChecklistTemplateSettings,
);
const Deployments = later(async () => (await import('./screens/deployments/deployments.js')).Deployments);
const DifferenceScreen = later(async () => (await import('./screens/scorecard/difference.js')).DifferenceScreen);
const GateChanges = later(async () => (await import('./screens/gate-changes.js')).GateChanges);
const InvitationScreen = later(async () => (await import('./screens/invitation.js')).InvitationScreen);
const Issues = later(async () => (await import('./screens/issues/issues.js')).Issues);
const SetUpScreen = later(async () => (await import('./screens/set-up.js')).SetUpScreen);
const TeamKeys = later(async () => (await import('./screens/team/team-keys.js')).TeamKeys);
const TeamMembers = later(async () => (await import('./screens/team/members.js')).TeamMembers);
const Naming = later(async () => (await import('./screens/project-settings/naming.js')).Naming);
const People = later(async () => (await import('./screens/settings/people.js')).People);
const PolicySettings = later(async () => (await import('./screens/project-settings/policy/policy.js')).PolicySettings);
const RecordTestRun = later(async () => (await import('./screens/test-runs/record/record-test-run.js')).RecordTestRun);
const Repository = later(async () => (await import('./screens/project-settings/repository/repository.js')).Repository);
const RepositoryHostSettings = later(
  async () => (await import('./screens/settings/repository-host.js')).RepositoryHostSettings,
);
const TestRuns = later(async () => (await import('./screens/test-runs/test-runs.js')).TestRuns);
const Webhooks = later(async () => (await import('./screens/project-settings/webhooks/webhooks.js')).Webhooks);
const Welcome = later(async () => (await import('./screens/welcome/welcome.js')).Welcome);

const TEAM = teamAddress(':teamId');
const PROJECT = projectAddress({ teamId: ':teamId', projectId: ':projectId' });
const RELEASE = releaseAddress({ teamId: ':teamId', projectId: ':projectId', releaseId: ':releaseId' });

interface ScreenProps {
  readonly component: ComponentType;
  /** A pattern with the names of the ids; the router puts the path of the address in its place. */
  readonly path?: string;
  readonly default?: true;
}

/**
 * A screen with its path as the key. The router keeps a screen while only the ids in the path change, and with it what was
 * entered or shown once for another project or release.
 */
const Screen = ({ component: Component, path }: ScreenProps) => <Component key={path} />;

const Screens = () => {
  const { path } = useLocation();
  const who = visitor.value;
  if (who.kind === 'not_known_yet')
    return who.fault === undefined ? (
      <Skeleton />
    ) : (
      <FaultNotice fault={who.fault} onRetry={() => void findVisitor()} />
    );
  if (who.kind === 'no_account_yet') return <SetUpScreen />;
  if (path === INVITATION) return <InvitationScreen />;
  if (who.kind === 'signed_out') return <SignIn />;
  // The key makes all screens anew when another person signs in.
  return (
    <Router key={who.user.id}>
      <Screen path={HOME} component={Portfolio} />
      <Screen path={SETUP} component={Portfolio} />
      <Screen path={PROJECT} component={ProjectScreen} />
      <Screen path={`${PROJECT}/issues`} component={Issues} />
      <Screen path={RELEASE} component={Scorecard} />
      <Screen path={`${RELEASE}/axes/:axis`} component={AxisScreen} />
      <Screen path={`${RELEASE}/checklist`} component={Checklist} />
      <Screen path={`${PROJECT}/settings`} component={Naming} />
      <Screen path={`${PROJECT}/settings/repository`} component={Repository} />
      <Screen path={`${PROJECT}/settings/policy`} component={PolicySettings} />
      <Screen path={`${PROJECT}/settings/checklist`} component={ChecklistTemplateSettings} />
      <Screen path={`${PROJECT}/settings/webhooks`} component={Webhooks} />
      <Screen path={`${PROJECT}/settings/badge`} component={BadgeSettings} />
      <Screen path={GATE_CHANGES} component={GateChanges} />
      <Screen path={TEAM} component={TeamMembers} />
      <Screen path={`${TEAM}/api-keys`} component={TeamKeys} />
      <Screen path={`${TEAM}/audit`} component={Audit} />
      <Screen path={SETTINGS} component={ApiKeys} />
      <Screen path={HOST_SCREEN} component={RepositoryHostSettings} />
      <Screen path={`${SETTINGS}/account`} component={Account} />
      <Screen path={`${SETTINGS}/archived`} component={Archived} />
      <Screen path={`${SETTINGS}/people`} component={People} />
      <Screen path={`${RELEASE}/difference`} component={DifferenceScreen} />
      <Screen path={`${RELEASE}/analysis`} component={Analysis} />
      <Screen path={`${PROJECT}/deployments`} component={Deployments} />
      <Screen path={`${PROJECT}/test-runs`} component={TestRuns} />
      <Screen path={`${PROJECT}/test-runs/record`} component={RecordTestRun} />
      <Screen path={WELCOME} component={Welcome} />
      <Screen default component={PageNotFound} />
    </Router>
  );
};

/** Addresses that are screens; the browser itself loads all others, such as pages of the API and of other programs. */
const SCREEN_PATHS = new RegExp(`^${HOME.replaceAll('.', '\\.')}(?!api/)`);

/** The whole application. */
const App = () => (
  <LocationProvider scope={SCREEN_PATHS}>
    <AppShell>
      <Boundary>
        <ErrorBoundary>
          <Screens />
        </ErrorBoundary>
      </Boundary>
    </AppShell>
    {sessionEnded.value ? <SignInAgain /> : null}
  </LocationProvider>
);

/**
 * How long the first picture waits until the visitor is known, in milliseconds. The answer usually arrives with the
 * script, and a picture drawn without it would be replaced at once.
 */
const WAITS_FOR_VISITOR_MS = 100;

const start = async (): Promise<void> => {
  await Promise.race([findVisitor(), new Promise((resolve) => setTimeout(resolve, WAITS_FOR_VISITOR_MS))]);
  render(<App />, document.body);
};

void start();
