import type { XmlElement } from '../../../../src/screens/test-runs/report/xml-element.js';

/** An element as a literal: name, attributes, children. */
export const element = (
  localName: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly XmlElement[]
): XmlElement => ({ localName, children, getAttribute: (name) => attributes[name] ?? null });

export const suite = (...cases: readonly XmlElement[]): XmlElement => element('testsuite', { name: 's' }, ...cases);

/** A test of class `c` with the elements it holds. */
export const test = (name: string, ...children: readonly string[]): XmlElement =>
  element('testcase', { classname: 'c', name }, ...children.map((child) => element(child)));
