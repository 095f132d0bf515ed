import { type CiSystem, type Claims, deployLines, type Env, FIRST_LINE, named } from './ci-system.js';

// The head commit, as the plugins that build pull requests name it.
const HEADS = [
  'GITHUB_PR_HEAD_SHA',
  'ghprbActualCommit',
  'gitlabMergeRequestLastCommit',
  'GITLAB_OA_LAST_COMMIT_ID',
  'BITBUCKET_PULL_REQUEST_LATEST_COMMIT_FROM_SOURCE_BRANCH',
];

/**
 * Jenkins. GIT_COMMIT is what was checked out, which for a change request may be a merge of it with its target; only some
 * plugins say the head.
 */
export const jenkinsClaims = (env: Env): Claims | undefined => {
  if (!env.JENKINS_URL) return undefined;
  const heads = named(env, ...HEADS);
  return {
    system: 'jenkins',
    commit: [...heads, ...named(env, 'GIT_COMMIT')],
    branch: [
      ...named(env, 'CHANGE_BRANCH', 'BRANCH_NAME'),
      ...named(env, 'GIT_LOCAL_BRANCH', 'GIT_BRANCH').map(({ name, value }) => ({
        name,
        value: value.replace(/^origin\//, ''),
      })),
    ],
    url: named(env, 'BUILD_URL'),
    attempt: [],
    actor: named(env, 'BUILD_USER_ID', 'CHANGE_AUTHOR'),
    notes:
      env.CHANGE_ID && heads.length === 0
        ? ['GIT_COMMIT of a change request may be its merge with the target; --commit names its head.']
        : [],
  };
};

/** A text as Groovy takes it between single quotes. */
const inGroovy = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Several lines as Groovy takes them between three single quotes; no value holds a quote. */
const inGroovyLines = (text: string): string => `'''\n          ${text.replaceAll('\\', '\\\\')}\n        '''`;

export const jenkinsSystem: CiSystem = {
  name: 'jenkins',
  title: 'Jenkins',
  path: 'Jenkinsfile',
  traces: ['Jenkinsfile'],
  steps: [
    'Store the key as a credential of the kind "Secret text" with the id shipworthy-api-key.',
    'Node 20.19 or later must be on the agent.',
  ],
  snippet: (values) => {
    const { apiUrl, app, branch, test, shipworthy } = values;
    return `// ${FIRST_LINE}
pipeline {
  agent any
  environment {
    SHIPWORTHY_API_URL = ${inGroovy(apiUrl)}
    SHIPWORTHY_APP = ${inGroovy(app)}
    SHIPWORTHY_API_KEY = credentials('shipworthy-api-key')
  }
  stages {
    // Elsewhere the code of a pull request would run beside the key.
    stage('Test') {
      when {
        branch ${inGroovy(branch)}
      }
      steps {
        sh ${inGroovy(`npx --yes ${shipworthy} tests run --report 'reports/*.xml' -- ${test}`)}
      }
    }
    stage('Deploy') {
      when {
        branch ${inGroovy(branch)}
      }
      steps {
        // To begin with, gate --shadow says the verdict and lets everything pass.
        sh ${inGroovy(`npx --yes ${shipworthy} gate`)}
        // Without the registry it deploys all the same; the gate before it does not.
        sh ${inGroovyLines(deployLines(values, 10))}
      }
    }
  }
}
`;
  },
};
