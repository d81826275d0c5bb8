import { headingWord, REFERENCE_HEADING } from './bulk-heading.ts';
import { readByteLimit, readConnectionLimit, readMoment, readSpeed } from './limit-texts.ts';
import { MAX_ALLOWED_IPS, MAX_NOTE_CHARACTERS } from './limits.ts';
import type { Separator } from './parse-csv-line.ts';
import { isReadable } from './readable.ts';
import { isMovementReference, REFERENCE_MAX_LENGTH } from './reference.ts';
import { LIMIT_NAMES } from './sub-user-terms.ts';
import type { SubUserLimits } from './terms-schemas.ts';

/** What a new sub-user has from the beginning, as its line in a file says. */
export interface LineTerms {
	/** What it is given, in USD cents. 0: nothing. */
	readonly amountCents: number;
	/** Those that are absent are no limits. */
	readonly limits: Partial<SubUserLimits>;
	/** Empty: none. */
	readonly note: string;
	/** What it is given the amount for. Absent: no reference. */
	readonly reference?: string;
}

/** The columns of a file of new sub-users, behind their usernames and amounts. Each may be absent. */
export const TERMS_HEADINGS = [...LIMIT_NAMES, 'note', REFERENCE_HEADING] as const;
export type TermsHeading = (typeof TERMS_HEADINGS)[number];

/** What is wrong in a column, in English. */
export const TERMS_PROBLEMS = {
	invalid_day_bytes: 'day_bytes must be bytes, like 2000000000, 500MB or 2GB, or be empty',
	invalid_month_bytes: 'month_bytes must be bytes, like 2000000000, 500MB or 2GB, or be empty',
	invalid_total_bytes: 'total_bytes must be bytes, like 2000000000, 500MB or 2GB, or be empty',
	invalid_connections: 'connections must be an integer of at least 1, or be empty',
	invalid_bytes_per_second:
		'bytes_per_second must be at least 8000 bytes a second, like 1250000, 1.25MB or 10Mbit, or be empty',
	invalid_allowed_ips: `allowed_ips must be 1 to ${MAX_ALLOWED_IPS} addresses and networks with spaces between them, or be empty`,
	invalid_expires_at:
		'expires_at must be a time with its zone, like 2026-12-31T23:00:00Z, or be empty: a day alone says no moment',
	invalid_note: `the note must be one line of at most ${MAX_NOTE_CHARACTERS} characters`,
	invalid_reference: `the reference must have 1 to ${REFERENCE_MAX_LENGTH} visible ASCII characters, without spaces, or be empty`,
} as const satisfies Record<`invalid_${TermsHeading}`, string>;
export type TermsProblem = keyof typeof TERMS_PROBLEMS;

/** The column with this heading; `undefined` if there is no such column. */
export function termsHeadingOf(heading: string): TermsHeading | undefined {
	const word = headingWord(heading);
	return TERMS_HEADINGS.find((name) => headingWord(name) === word);
}

/** Who writes a comma before decimals, means thousands by `1.500 GB`. Their spreadsheets separate cells by no comma. */
const MAYBE_THOUSANDS = /^\d{1,3}\.\d{3} ?[a-z]+$/i;

/** The terms that the cells of a line say, or what is wrong with the first one that is. */
export function readTerms(
	cells: ReadonlyMap<TermsHeading, string>,
	separator: Separator,
): Omit<LineTerms, 'amountCents'> | TermsProblem {
	const limits: Record<string, unknown> = {};
	for (const name of LIMIT_NAMES) {
		const text = cells.get(name) ?? '';
		if (text === '') continue;
		const limit = READERS[name](text);
		if (limit === undefined || (separator !== ',' && MAYBE_THOUSANDS.test(text))) return `invalid_${name}`;
		limits[name] = limit;
	}
	const note = cells.get('note') ?? '';
	if ([...note].length > MAX_NOTE_CHARACTERS || !isReadable(note)) return 'invalid_note';
	const reference = cells.get(REFERENCE_HEADING) ?? '';
	if (reference !== '' && !isMovementReference(reference)) return 'invalid_reference';
	return { limits: limits as Partial<SubUserLimits>, note, ...(reference !== '' && { reference }) };
}

const READERS = {
	day_bytes: readByteLimit,
	month_bytes: readByteLimit,
	total_bytes: readByteLimit,
	connections: readConnectionLimit,
	bytes_per_second: readSpeed,
	allowed_ips: readNetworks,
	expires_at: (text) => readMoment(text)?.toISOString(),
} as const satisfies Readonly<Record<(typeof LIMIT_NAMES)[number], (text: string) => unknown>>;

/** Addresses and networks. The service checks each. */
function readNetworks(text: string): readonly string[] | undefined {
	const networks = text.split(/[\s,]+/).filter((each) => each !== '');
	const areWords = networks.every((each) => /^[0-9a-f.:/]{2,49}$/i.test(each));
	return areWords && networks.length >= 1 && networks.length <= MAX_ALLOWED_IPS ? networks : undefined;
}
