import { render } from 'preact';
import { findVisitor } from './api/session.js';
import { App } from './app.js';
import './style/index.css';

render(<App />, document.body);
void findVisitor();
