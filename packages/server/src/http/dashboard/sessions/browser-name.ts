/** The first that matches counts: most browsers also name those that they descend from. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
	['Edge', /\bEdg(?:e|A|iOS)?\//],
	['Opera', /\bOPR\//],
	['Samsung Internet', /\bSamsungBrowser\//],
	['Firefox', /\b(?:Firefox|FxiOS)\//],
	['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
	['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
	['Windows', /\bWindows\b/],
	['Android', /\bAndroid\b/],
	['iOS', /\b(?:iPhone|iPad|iPod)\b/],
	['macOS', /\bMac OS X\b/],
	['ChromeOS', /\bCrOS\b/],
	['Linux', /\bLinux\b/],
];

/** What people recognise a session by, like `Firefox on Windows`. Made of known names only, whatever the header says. */
export function browserName(userAgent: string | undefined): string {
	const browser = nameIn(BROWSERS, userAgent) ?? 'Unknown browser';
	const system = nameIn(SYSTEMS, userAgent);
	return system === undefined ? browser : `${browser} on ${system}`;
}

function nameIn(names: typeof BROWSERS, userAgent = ''): string | undefined {
	return names.find(([, sign]) => sign.test(userAgent))?.[0];
}
