import { type CiSystem, deployLines, FIRST_LINE } from '../ci-system.js';

/** A text as Groovy takes it between single quotes. */
const inGroovy = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Several lines as Groovy takes them between three single quotes; no value holds a quote. */
const inGroovyLines = (text: string): string => `'''\n          ${text.replaceAll('\\', '\\\\')}\n        '''`;

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
        // Without the registry it deploys all the same; the gate before it does not.
        sh ${inGroovyLines(deployLines(values, 10))}
      }
    }
  }
}
`;
  },
};
