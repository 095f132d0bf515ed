export * from './corpus.js';
