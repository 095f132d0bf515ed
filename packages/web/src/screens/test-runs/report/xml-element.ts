/** What is needed of an element of XML. */
export interface XmlElement {
  readonly localName: string;
  readonly children: Iterable<XmlElement>;
  getAttribute(name: string): string | null;
}

export const isSuite = ({ localName }: XmlElement): boolean => localName === 'testsuite' || localName === 'testsuites';
