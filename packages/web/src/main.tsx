import { render } from 'preact';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
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
      <Route path={HOME} component={Portfolio} />
      <Route path={SETUP} component={Portfolio} />
      <Route path={PROJECT} component={ProjectScreen} />
      <Route path={`${PROJECT}/issues`} component={Issues} />
      <Route path={RELEASE} component={Scorecard} />
      <Route path={`${RELEASE}/axes/:axis`} component={AxisScreen} />
      <Route path={`${RELEASE}/checklist`} component={Checklist} />
      <Route path={`${PROJECT}/settings`} component={Naming} />
      <Route path={`${PROJECT}/settings/repository`} component={Repository} />
      <Route path={`${PROJECT}/settings/policy`} component={PolicySettings} />
      <Route path={`${PROJECT}/settings/checklist`} component={ChecklistTemplateSettings} />
      <Route path={`${PROJECT}/settings/webhooks`} component={Webhooks} />
      <Route path={`${PROJECT}/settings/badge`} component={BadgeSettings} />
      <Route path={GATE_CHANGES} component={GateChanges} />
      <Route path={TEAM} component={TeamMembers} />
      <Route path={`${TEAM}/api-keys`} component={TeamKeys} />
      <Route path={`${TEAM}/audit`} component={Audit} />
      <Route path={SETTINGS} component={ApiKeys} />
      <Route path={HOST_SCREEN} component={RepositoryHostSettings} />
      <Route path={`${SETTINGS}/account`} component={Account} />
      <Route path={`${SETTINGS}/archived`} component={Archived} />
      <Route path={`${SETTINGS}/people`} component={People} />
      <Route path={`${RELEASE}/difference`} component={DifferenceScreen} />
      <Route path={`${RELEASE}/analysis`} component={Analysis} />
      <Route path={`${PROJECT}/deployments`} component={Deployments} />
      <Route path={`${PROJECT}/test-runs`} component={TestRuns} />
      <Route path={`${PROJECT}/test-runs/record`} component={RecordTestRun} />
      <Route path={WELCOME} component={Welcome} />
      <Route default component={PageNotFound} />
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
