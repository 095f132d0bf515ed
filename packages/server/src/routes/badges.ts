import type { Badge as WireBadge, BadgeState as WireBadgeState } from '@shipworthy/client/contract';
import type { Badge, BadgeOptIn } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { hideBadge, readBadge, showBadge } from '@shipworthy/domain/use-cases';
import { publicAddress } from '../http/base-path.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { escapeHtml } from '../pages.js';
import { wireMomentOrNull } from '../wire.js';
import { actorOf } from './replies.js';

/** The longest shown name, in characters as people count them. */
const LONGEST_NAME = 60;
/** Characters that no XML document may hold, not even escaped. */
const NOT_XML = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
/** Direction controls: they would reorder what follows the name. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069'];
/** The end of a badge's text, which is never cut: the decision, the waivers in force, the score and its coverage. */
const DECISION = /: (go|hold|unknown)( with \d+ waivers?)?( \d+\.\d)?(, \d+ of \d+ measured)?$/;

const NOTHING_WIDE = /[\p{M}\p{Cf}]/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** About how wide a character is, in pixels at a font size of 11; the image makes the text fit. */
const widthOfCharacter = (character: string): number => {
  if (NOTHING_WIDE.test(character)) return 0;
  if (WIDE.test(character)) return 12;
  return (character.codePointAt(0) ?? 0) > 0x52f ? 8 : 6.6;
};

/** About how wide a text is, in pixels at a font size of 11. */
export const textWidth = (text: string): number =>
  [...text].reduce((width, character) => width + widthOfCharacter(character), 0);

/** Replaces characters that XML does not allow, and removes direction controls. */
export const legible = (text: string): string => text.replace(NOT_XML, '\ufffd').replace(DIRECTION_CONTROLS, '');

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const shortened = (name: string): string => {
  const all = [...characters.segment(name)].map(({ segment }) => segment);
  return all.length <= LONGEST_NAME ? name : `${all.slice(0, LONGEST_NAME - 1).join('')}…`;
};

const isolated = (name: string): string =>
  RIGHT_TO_LEFT.test(name) ? `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}` : name;

/** The shown text of a legible message: a long name is cut between characters; the decision stays whole, to the right of the name. */
export const shownText = (message: string): string => {
  const [decision = ''] = DECISION.exec(message) ?? [];
  const name = message.slice(0, message.length - decision.length);
  return `${isolated(shortened(name))}${decision}`;
};

const HEIGHT = 20;
const PADDING = 6;

/** Draws one half of a badge; `textLength` makes the text fit with any font. */
const half = (text: string, x: number, width: number, color: string): string =>
  `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${color}"/>` +
  `<text x="${x + width / 2}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeHtml(text)}</text>`;

/** A badge as an image of its own: no font, style or script from elsewhere, and a title that reads it out. */
export const badgeImage = ({ label, message, color }: WireBadge): string => {
  const whole = legible(message);
  const shown = shownText(whole);
  const [left, right] = [label, shown].map((text) => Math.ceil(textWidth(text)) + 2 * PADDING) as [number, number];
  const title = escapeHtml(`${label}: ${whole}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${title}">` +
    `<title>${title}</title>` +
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">` +
    `${half(label, 0, left, '#24292f')}${half(shown, left, right, color)}</g></svg>`
  );
};

/** White text on each of them has a contrast of 4.5 or more. */
const COLORS = { go: '#1a7f37', hold: '#b42318', unknown: '#57606a' } as const;

/** A badge in the endpoint schema of shields.io. */
export const wireBadge = ({ message, decision }: Badge): WireBadge => ({
  schemaVersion: 1,
  label: 'readiness',
  message,
  color: COLORS[decision ?? 'unknown'],
});

/** Whether a badge is shown; never with its token, of which only a hash is kept. */
const wireBadgeState = (optIn: BadgeOptIn | undefined): WireBadgeState => ({
  shown: optIn !== undefined,
  shown_at: wireMomentOrNull(optIn?.createdAt ?? null),
  shown_by: optIn?.createdBy ?? null,
});

interface BadgeRequest {
  readonly path: { readonly team_id: string; readonly project_id: string };
  readonly query: { readonly token?: string };
}

const requestedBadge = async ({ path, query }: BadgeRequest, { ports }: { readonly ports: Ports }) =>
  wireBadge(await readBadge(ports, { teamId: path.team_id, projectId: path.project_id, token: query.token ?? null }));

const read: RouteHandler<OperationOf<'readBadge'>> = async (input, context) => ({
  status: 200,
  body: await requestedBadge(input, context),
});

const readImage: RouteHandler<OperationOf<'readBadgeImage'>> = async (input, context) => ({
  status: 200,
  text: badgeImage(await requestedBadge(input, context)),
});

const readState: RouteHandler<OperationOf<'readBadgeState'>> = async (_, { ports, place }) => ({
  status: 200,
  body: { data: wireBadgeState(await ports.stores.badges.ofProject(place.projectId)) },
});

const hide: RouteHandler<OperationOf<'hideBadge'>> = async (_, context) => {
  const { teamId, projectId } = context.place;
  await hideBadge(context.ports, { by: actorOf(context), teamId, projectId });
  return { status: 204 };
};

/** The routes of a project's badge, which anyone who has its token can read. `baseUrl` is the service's public address. */
export const badgeRoutes = (baseUrl: URL) => {
  const show: RouteHandler<OperationOf<'showBadge'>> = async (_, context) => {
    const { teamId, projectId } = context.place;
    const token = await showBadge(context.ports, { by: actorOf(context), teamId, projectId });
    const at = (name: string): string =>
      publicAddress(baseUrl, `/api/teams/${teamId}/projects/${projectId}/${name}?token=${token}`);
    return { status: 200, body: { data: { token, svg_url: at('badge.svg'), json_url: at('badge.json') } } };
  };
  return {
    readBadgeState: readState,
    showBadge: show,
    hideBadge: hide,
    readBadge: read,
    readBadgeImage: readImage,
  } as const satisfies Partial<Routes>;
};
