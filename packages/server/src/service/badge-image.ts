import type { Badge } from '@shipworthy/client/contract';
import { legible, shownText, widthOf } from './badge-text.js';
import { escapeHtml } from './html.js';

const HEIGHT = 20;
const PADDING = 6;

/** `textLength` makes the text fit, whichever font there is. */
const half = (text: string, x: number, width: number, color: string): string =>
  `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${color}"/>` +
  `<text x="${x + width / 2}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeHtml(text)}</text>`;

/** A badge as an image of its own: no font, style or script from elsewhere, and a title that reads it out. */
export const badgeImage = ({ label, message, color }: Badge): string => {
  const whole = legible(message);
  const shown = shownText(whole);
  const [left, right] = [label, shown].map((text) => Math.ceil(widthOf(text)) + 2 * PADDING) as [number, number];
  const title = escapeHtml(`${label}: ${whole}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${title}">` +
    `<title>${title}</title>` +
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">` +
    `${half(label, 0, left, '#24292f')}${half(shown, left, right, color)}</g></svg>`
  );
};
