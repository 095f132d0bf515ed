import { expect } from 'chai';
import { linesFor, shellWord } from '../../src/wording/report-lines.js';

describe('the lines that report', () => {
  it('are words of a shell, under any name', () => {
    expect(shellWord('checkout')).to.equal('checkout');
    expect(shellWord("Ada's shop; rm -rf /")).to.equal(`'Ada'\\''s shop; rm -rf /'`);
  });

  it('name the project, the place and the key', () => {
    const place = { teamId: 't', projectId: 'p' };
    const [settings, command, curl] = linesFor({ address: 'https://ship.acme.dev', key: 'swk_1', app: 'a b', place });
    expect(settings?.text)
      .to.contain('SHIPWORTHY_API_URL=https://ship.acme.dev')
      .and.contain('SHIPWORTHY_API_KEY=swk_1');
    expect(command?.text).to.contain("npx @shipworthy/cli tests record report.xml --app 'a b'");
    expect(command?.text).to.contain("npx @shipworthy/cli deploy run --app 'a b' --env production -- ./deploy.sh");
    expect(curl?.text).to.contain('/api/teams/t/projects/p/test-runs"').and.contain('"app_name":"a b"');
    expect(curl?.text).not.to.contain('swk_1');
  });
});
