import { domainToASCII } from 'node:url';
import { normalizeAllowedIp } from '@bursar/contract/allowed-ips';
import { normalizeUsername } from '@bursar/contract/username';
import { createRules, type DeniedEntry, type Rules } from './rules.ts';

/** The destinations that the operator denies. */
export interface DeniedList {
	readonly ofAll: Rules;
	/** By the normalized name of a reseller: denied to its account and to its sub-users, besides those for all. */
	readonly ofResellers: ReadonlyMap<string, Rules>;
	/** Lines with a destination or a reseller. */
	readonly entries: number;
}

/** @bound Denied destinations and lines with a reseller: the proxy does not start with more. */
const MAX_ENTRIES = 500_000;
const RESELLER = /^reseller\s+(\S+?)\s*:$/;
/** `[NETWORK]` or `[NETWORK]:PORT`; anything else, or that with `:PORT`. */
const ENTRY = /^(?:\[([^\]]*)\]|(.*?))(?::(\d{1,5}))?$/;
/** Without this look, each name would take 15 microseconds longer. */
const MAY_BE_NETWORK = /^(?:[\d./]+|[\da-f.]*:[\da-f:./]*)$/i;
/** `domainToASCII` takes what stands before these for the name. */
const SEPARATOR = /[\s/@?#\\:[\]%]/;
const LABEL = /^[a-z0-9_-]{1,63}$/;
const MAX_NAME_LENGTH = 253;

/**
 * Reads a list of denied destinations, one in a line. What follows a line `reseller NAME:` is for this reseller. `#` before
 * a word begins a comment, up to the end of the line. An error names the line, and shows nothing of it.
 */
export function readDenied(text: string): DeniedList {
	const ofAll = createRules();
	const ofResellers = new Map<string, Rules>();
	let rules = ofAll;
	let entries = 0;

	function readLine(line: string): void {
		const [, named] = RESELLER.exec(line) ?? [];
		if (named === undefined) {
			rules.add(readEntry(line));
			return;
		}
		const reseller = normalizeUsername(named);
		if (reseller === undefined) throw new Error('this is no name of a reseller');
		rules = ofResellers.get(reseller) ?? createRules();
		ofResellers.set(reseller, rules);
	}

	for (const [index, raw] of text
		.replace(/^\uFEFF/, '')
		.split(/\r\n|\n|\r/)
		.entries()) {
		const line = raw.replace(/(^|\s)#.*$/, '').trim();
		if (line === '') continue;
		try {
			readLine(line);
		} catch (cause) {
			throw new Error(`line ${index + 1}: ${(cause as Error).message}`);
		}
		entries++;
		if (entries > MAX_ENTRIES) throw new Error(`it has more than ${MAX_ENTRIES} entries`);
	}
	return { ofAll, ofResellers, entries };
}

function readEntry(line: string): DeniedEntry {
	// An IPv6 address ends like a port.
	const whole = networkOf(line);
	if (whole !== undefined) return { kind: 'network', text: whole, port: undefined };
	const [, bracketed, other = '', portText] = ENTRY.exec(line) ?? [];
	const port = portText === undefined ? undefined : Number(portText);
	if (port !== undefined && (port < 1 || port > 65_535)) throw new Error('a port must be from 1 to 65535');
	if (other === '*' && port !== undefined) return { kind: 'port', port };
	const network = networkOf(bracketed ?? other);
	if (network !== undefined) return { kind: 'network', text: network, port };
	const name = bracketed === undefined ? nameOf(other) : undefined;
	if (name !== undefined) return { kind: 'name', text: name, port };
	throw new Error(
		'it must be a domain, an address or a network, each also with :PORT (IPv6 in brackets), or *:PORT for all destinations',
	);
}

function networkOf(text: string): string | undefined {
	return MAY_BE_NETWORK.test(text) ? normalizeAllowedIp(text) : undefined;
}

/** As clients send it: in lower case, other letters in punycode. `undefined` if it is no ordinary name. */
function nameOf(text: string): string | undefined {
	const name = SEPARATOR.test(text) ? '' : domainToASCII(text).replace(/\.$/, '');
	const labels = name.split('.');
	// What ends with a number is an address in an unusual form.
	const isName = labels.every((label) => LABEL.test(label)) && /^[a-z]/.test(labels.at(-1) ?? '');
	return isName && name.length <= MAX_NAME_LENGTH ? name : undefined;
}
