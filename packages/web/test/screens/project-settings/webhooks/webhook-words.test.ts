import type { Webhook } from '@shipworthy/client';
import { expect } from 'chai';
import {
  attemptText,
  deliveryText,
  disabledText,
} from '../../../../src/screens/project-settings/webhooks/webhook-words.js';

const at = '2026-11-20T09:30:00.000Z';
const disabled = (state: Webhook['state'], disabled_reason: Webhook['disabled_reason']) =>
  disabledText({ state, disabled_reason } as Webhook);

describe('words about webhooks', () => {
  it('say how a try went', () => {
    expect(attemptText({ at, ms: 12, status: 503, failure: null })).to.equal('503 after 12 ms');
    expect(attemptText({ at, ms: 12, status: null, failure: 'timeout' })).to.equal('the receiver took too long');
    expect(attemptText({ at, ms: 12, status: null, failure: null })).to.equal('no answer');
  });

  it('name the state of a delivery', () => {
    expect(deliveryText({ state: 'pending', tries: 0 })).to.equal('Sending');
    expect(deliveryText({ state: 'pending', tries: 2 })).to.equal('Retrying');
    expect(deliveryText({ state: 'failed', tries: 10 })).to.equal('Failed');
  });

  it('say why nothing is sent, if so', () => {
    expect(disabled('enabled', null)).to.equal(null);
    expect(disabled('disabled', 'person')).to.contain('owner');
    expect(disabled('gone', null)).to.contain('410');
    expect(disabled('disabled', 'failing')).to.contain('five days');
    expect(disabled('disabled', null)).to.equal('It is disabled.');
  });
});
