import { LocationProvider, Route, Router } from 'preact-iso';
import { findVisitor, visitor } from './api/session.js';
import { FaultNotice } from './parts/notice.js';
import { Skeleton } from './parts/shown.js';
import { Axis } from './screens/axis/axis.js';
import { Checklist } from './screens/checklist/checklist.js';
import { Issues } from './screens/issues/issues.js';
import { Lost } from './screens/lost.js';
import { Portfolio } from './screens/portfolio/portfolio.js';
import { ProjectScreen } from './screens/project/project.js';
import { Scorecard } from './screens/scorecard/scorecard.js';
import { SetUp } from './screens/setup/set-up.js';
import { SignIn } from './screens/sign-in/sign-in.js';
import { Welcome } from './screens/welcome/welcome.js';
import { Shell } from './shell/shell.js';

const Screens = () => {
  const who = visitor.value;
  if (who.kind === 'not_known_yet')
    return who.fault === undefined ? (
      <Skeleton />
    ) : (
      <FaultNotice fault={who.fault} onRetry={() => void findVisitor()} />
    );
  if (who.kind === 'nobody_is_set_up') return <SetUp />;
  if (who.kind === 'signed_out') return <SignIn />;
  return (
    <Router>
      <Route path="/" component={Portfolio} />
      <Route path="/teams/:teamId/projects/:projectId" component={ProjectScreen} />
      <Route path="/teams/:teamId/projects/:projectId/issues" component={Issues} />
      <Route path="/teams/:teamId/projects/:projectId/releases/:releaseId" component={Scorecard} />
      <Route path="/teams/:teamId/projects/:projectId/releases/:releaseId/axes/:axis" component={Axis} />
      <Route path="/teams/:teamId/projects/:projectId/releases/:releaseId/checklist" component={Checklist} />
      <Route path="/welcome" component={Welcome} />
      <Route default component={Lost} />
    </Router>
  );
};

/** The whole application. */
export const App = () => (
  <LocationProvider>
    <Shell>
      <Screens />
    </Shell>
  </LocationProvider>
);
