const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, in content and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** What a page of ours holds. All paths are those of the public address. */
export interface HtmlPage {
  readonly title: string;
  /** HTML. */
  readonly main: string;
  readonly basePath: string;
  readonly script?: string;
  /** Where to go on to at once. */
  readonly next?: string;
}

/** A whole page of ours: one stylesheet, no inline style or script, light and dark. */
export const htmlPage = ({ title, main, basePath, script, next }: HtmlPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${basePath}/api/docs/style.css">
${next === undefined ? '' : `<meta http-equiv="refresh" content="0; url=${next}">\n`}${script === undefined ? '' : `<script src="${script}" defer></script>\n`}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<main id="main">
${main}
</main>
</body>
</html>
`;

/** The style of those pages. */
export const STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; }
code, pre, textarea, input { font-family: ui-monospace, monospace; font-size: .9rem; }
pre, textarea { overflow: auto; max-width: 100%; }
details { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .4rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary b { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; }
form { display: grid; gap: .5rem; margin: .5rem 0; max-width: 40rem; }
label { display: grid; gap: .1rem; }
`;
