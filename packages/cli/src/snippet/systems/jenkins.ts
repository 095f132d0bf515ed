import { type CiSystem, FIRST_LINE } from '../ci-system.js';

/** A text as Groovy takes it between single quotes. */
const inGroovy = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const jenkins: CiSystem = {
  name: 'jenkins',
  title: 'Jenkins',
  path: 'Jenkinsfile',
  single: true,
  traces: ['Jenkinsfile'],
  steps: [
    'Store the key as a credential of the kind "Secret text" with the id shipworthy-api-key.',
    'Node 20.19 or later must be on the agent.',
  ],
  snippet: ({ apiUrl, app, environment, branch, test, shipworthy }) => `// ${FIRST_LINE}
pipeline {
  agent any
  environment {
    SHIPWORTHY_API_URL = ${inGroovy(apiUrl)}
    SHIPWORTHY_APP = ${inGroovy(app)}
    SHIPWORTHY_API_KEY = credentials('shipworthy-api-key')
  }
  stages {
    stage('Test') {
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
        sh ${inGroovy(`npx --yes ${shipworthy} deploy run --env "${environment}" -- ./deploy.sh`)}
      }
    }
  }
}
`,
};
