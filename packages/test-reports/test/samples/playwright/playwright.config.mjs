export default {
  retries: 1,
  workers: 1,
  projects: [{ name: 'small' }, { name: 'large' }],
  reporter: [
    ['json', { outputFile: 'report.json' }],
    ['junit', { outputFile: 'report.xml' }],
  ],
};
