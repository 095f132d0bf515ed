import { expect } from 'chai';
import { connectedPage, notConnectedPage } from '../src/pages.js';

describe('connectedPage', () => {
  it('names host and account as text', () => {
    const page = connectedPage('Forge', '<b>ada</b>', { basePath: '', application: false });
    expect(page).to.contain('<title>Forge is connected</title>').and.contain('&lt;b&gt;ada&lt;/b&gt;');
    expect(page).not.to.contain('<script').and.not.to.contain('/settings');
  });

  it('leads on to the application, where it is served, by itself and by a link', () => {
    const page = connectedPage('Forge', 'ada', { basePath: '', application: true });
    expect(page).to.contain('<meta http-equiv="refresh" content="0; url=/settings/repository-host">');
    expect(page).to.contain('href="/settings/repository-host"').and.not.to.contain('close this page');
  });
});

describe('notConnectedPage', () => {
  it('says why as text and leads back, but not by itself, so that it can be read', () => {
    const page = notConnectedPage('Forge said <i>no</i>.', 'r-1', '');
    expect(page).to.contain('Forge said &lt;i&gt;no&lt;/i&gt;.').and.contain('Request r-1');
    expect(page).to.contain('href="/settings/repository-host"').and.not.to.contain('http-equiv');
  });
});
