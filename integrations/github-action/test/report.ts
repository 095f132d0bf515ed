/** A report of three tests, one of which failed. */
export const REPORT = `<testsuites><testsuite name="unit">
  <testcase classname="cart" name="adds"/><testcase classname="cart" name="takes away"/>
  <testcase classname="cart" name="pays"><failure message="no money"/></testcase>
</testsuite></testsuites>`;
