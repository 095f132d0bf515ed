// What a server, a file, a report, git or the environment says is shown as text and never obeyed: a terminal obeys control
// characters, a CI system obeys commands that it finds in its log. Everything that is written passes here, last of all.

// Control characters but for tabs and line ends; separators that some viewers take for line ends; what turns a line's direction.
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text that cannot steer a terminal or turn a line's direction. */
export const harmless = (text: string): string => text.replace(STEERING, '\u{fffd}');

// `::name::` of GitHub; an address such as `[fe80::a]` is none, and stays one. Nothing else may begin a line with `::`.
const COLONS = /:(?=:+[a-z_-])(?!:[\da-f:.]*(?:%\w+)?\])|(?<=^[^\S\n]*):(?=:)/gim;
// `##[name]` of GitHub and Azure, `##vso[name]` of Azure, `##teamcity[name]` of TeamCity.
const HASHES = /##(?=\w*\[)/g;

/** Text in which no CI system finds a command, anywhere in a line. */
export const inert = (text: string): string => text.replace(COLONS, ': ').replace(HASHES, '## ');

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The same for a JSON document: it steers and commands nothing as it stands in a log, and still means what it did. */
export const inertJson = (json: string): string =>
  // A document has line ends only between its parts, and two colons or hashes side by side only inside of a string.
  json.replace(STEERING, escaped).replace(/:(?=:)|#(?=#)/g, escaped);
