import { expect } from 'chai';
import { connectedPage } from '../../src/service/connected-page.js';

describe('connectedPage', () => {
  it('names host and account as text', () => {
    const page = connectedPage('Forge', '<b>ada</b>');
    expect(page).to.contain('<title>Forge is connected</title>').and.contain('&lt;b&gt;ada&lt;/b&gt;');
    expect(page).not.to.contain('<script');
  });
});
