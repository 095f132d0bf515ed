import type { RouteNeeds } from '../composition/options.js';
import type { Routes } from '../http/route.js';
import { serviceRoutes } from '../service/service-routes.js';
import { analysisRoutes } from './analysis.js';
import { apiKeyRoutes } from './api-keys.js';
import { auditRoutes } from './audit.js';
import { axisRowRoutes } from './axis-rows.js';
import { badgeRoutes } from './badges.js';
import { cdEventRoutes } from './cdevents.js';
import { checklistRoutes } from './checklists.js';
import { deploymentRoutes } from './deployments.js';
import { eventSourceRoutes } from './event-sources.js';
import { eventRoutes } from './events.js';
import { historyRoutes } from './history.js';
import { hookRoutes } from './hooks.js';
import { invitationRoutes } from './invitations.js';
import { issueRoutes } from './issues.js';
import { memberRoutes } from './members.js';
import { notCountedRoutes } from './not-counted.js';
import { peopleRoutes } from './people.js';
import { policyRoutes } from './policies.js';
import { portfolioRoutes } from './portfolio.js';
import { projectRoutes } from './projects.js';
import { readinessRoutes } from './readiness.js';
import { releaseTransitionRoutes } from './release-transitions.js';
import { releaseRoutes } from './releases.js';
import { repositoryHostRoutes } from './repository-host.js';
import { repositoryLinkRoutes } from './repository-links.js';
import { sessionRoutes } from './sessions.js';
import { teamRoutes } from './teams.js';
import { testRunRoutes } from './test-runs.js';
import { verdictKeyRoutes } from './verdict-keys.js';
import { waiverRoutes } from './waivers.js';
import { webhookRoutes } from './webhooks.js';
import { whatIfRoutes } from './what-if.js';
import { whoAmIRoutes } from './whoami.js';

/** A handler of every operation; a missing one does not compile, and each noun's record is checked to hold nothing else. */
export const allRoutes = ({ reports, setupToken, baseUrl, application, service }: RouteNeeds): Routes => ({
  ...sessionRoutes(setupToken),
  ...whoAmIRoutes,
  ...invitationRoutes(baseUrl),
  ...peopleRoutes,
  ...teamRoutes,
  ...memberRoutes,
  ...auditRoutes,
  ...portfolioRoutes(),
  ...projectRoutes,
  ...policyRoutes,
  ...badgeRoutes(baseUrl),
  ...releaseRoutes,
  ...releaseTransitionRoutes,
  ...readinessRoutes(reports),
  ...whatIfRoutes,
  ...axisRowRoutes,
  ...historyRoutes,
  ...analysisRoutes,
  ...waiverRoutes,
  ...checklistRoutes,
  ...issueRoutes,
  ...deploymentRoutes,
  ...testRunRoutes,
  ...notCountedRoutes,
  ...eventRoutes,
  ...eventSourceRoutes,
  ...cdEventRoutes(),
  ...repositoryHostRoutes(baseUrl, application),
  ...repositoryLinkRoutes(baseUrl),
  ...hookRoutes,
  ...webhookRoutes,
  ...apiKeyRoutes,
  ...verdictKeyRoutes,
  ...serviceRoutes(service),
});
