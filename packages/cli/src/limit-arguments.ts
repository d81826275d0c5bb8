import type { SubUserLimits } from '@bursar/client';
import { readByteLimit, readConnectionLimit, readMoment, readSpeed, readUtcDay } from '@bursar/contract/limit-texts';
import { MAX_ALLOWED_IPS, MAX_BYTES, MAX_CONNECTIONS, MIN_BYTES_PER_SECOND } from '@bursar/contract/limits';
import { type Command, InvalidArgumentError } from 'commander';

/** If a parser returns `null`, commander takes that for a failure. */
const NONE = 'none';
type None = typeof NONE;

/** The options of the limits, as the parsers below return them. */
export type LimitOptions = { readonly [Name in keyof SubUserLimits]?: NonNullable<SubUserLimits[Name]> | None };

/** The limits that were given. */
export function limitsIn(options: LimitOptions): Partial<SubUserLimits> {
	const { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond, allowedIps, expiresAt } = options;
	const counts = { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond };
	const given = Object.entries({ ...counts, allowedIps, expiresAt });
	const limits = given.filter(([, limit]) => limit !== undefined);
	return Object.fromEntries(limits.map(([name, limit]) => [name, limit === NONE ? null : limit]));
}

/** Adds an option for each limit. Their names are those of the client's limits. */
export function addLimitOptions(command: Command): Command {
	return command
		.option('--day-bytes <bytes>', 'bytes of a UTC day, as 2000000000, 2GB or none', bytes)
		.option('--month-bytes <bytes>', 'bytes of a UTC month', bytes)
		.option('--total-bytes <bytes>', 'bytes of all time', bytes)
		.option('--connections <count>', 'connections that are open at once, or none', connections)
		.option('--bytes-per-second <speed>', 'its speed up and down, as 1250000, 1.25MB, 10Mbit or none', speed)
		.option('--allowed-ips <list>', 'addresses and networks with commas between them, or none', allowedIps)
		.option(
			'--expires-at <time>',
			'from when on it is refused: a time with its zone, as 2026-12-31T23:00:00Z, or none',
			time,
		);
}

function bytes(text: string): number | None {
	const value = text === NONE ? NONE : readByteLimit(text);
	if (value !== undefined) return value;
	throw new InvalidArgumentError(`It must be bytes, at most ${MAX_BYTES}, as 2000000000, 500MB or 2GB, or ${NONE}.`);
}

function connections(text: string): number | None {
	const count = text === NONE ? NONE : readConnectionLimit(text);
	if (count !== undefined) return count;
	throw new InvalidArgumentError(`It must be an integer from 1 to ${MAX_CONNECTIONS}, or ${NONE}.`);
}

function speed(text: string): number | None {
	const value = text === NONE ? NONE : readSpeed(text);
	if (value !== undefined) return value;
	throw new InvalidArgumentError(
		`It must be bytes a second, at least ${MIN_BYTES_PER_SECOND}, as 1250000, 1.25MB or 10Mbit, or ${NONE}.`,
	);
}

function allowedIps(text: string): readonly string[] | None {
	const networks = text === NONE ? NONE : parseNetworks(text);
	if (networks) return networks;
	throw new InvalidArgumentError(`${NETWORKS_FORM}, or ${NONE}.`);
}

/** Addresses and networks with commas between them. */
export function networksArgument(text: string): readonly string[] {
	const networks = parseNetworks(text);
	if (networks) return networks;
	throw new InvalidArgumentError(`${NETWORKS_FORM}.`);
}

const NETWORKS_FORM = `It must be 1 to ${MAX_ALLOWED_IPS} addresses and networks with commas between them`;

/** The service checks each entry. */
function parseNetworks(text: string): readonly string[] | undefined {
	const networks = text.split(',').map((each) => each.trim());
	const areWords = networks.every((each) => /^[0-9a-f.:/]+$/i.test(each));
	return areWords && networks.length <= MAX_ALLOWED_IPS ? networks : undefined;
}

function time(text: string): Date | None {
	if (text === NONE) return NONE;
	const at = readMoment(text);
	if (at) return at;
	throw new InvalidArgumentError(
		`It must be a time with its zone, as 2026-12-31T23:00:00Z, or ${NONE}. A day alone says no moment.`,
	);
}

/** A time with its zone, or the beginning of a UTC day. */
export function endArgument(text: string): Date {
	const at = readUtcDay(text) ?? readMoment(text);
	if (at) return at;
	throw new InvalidArgumentError(
		'It must be a UTC day, as 2027-06-30, or a time with its zone, as 2027-06-30T22:00:00Z.',
	);
}

/** A UTC day such as `2026-11-21`. */
export function dayArgument(text: string): Date {
	const day = readUtcDay(text);
	if (day === undefined) throw new InvalidArgumentError('It must be a UTC day, as 2026-11-21.');
	return day;
}
