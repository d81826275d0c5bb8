import { normalizeUsername } from '@bursar/contract/username';
import { peerName } from '../auth/helper-request.ts';

/** A finished request of an account, from a line of the access log. */
export interface FinishedRequest {
	/** Normalized. */
	readonly username: string;
	/** Address and port of the client's connection. */
	readonly peer: string;
	/** When it began, in Unix seconds with three decimals, as Squid wrote it. */
	readonly begin: string;
	readonly tookMs: number;
	/** When it ended, in Unix milliseconds. */
	readonly atMs: number;
	readonly bytesUp: number;
	readonly bytesDown: number;
}

/** Every line begins with this word, and no field can contain it with the space after it. */
const MARK = 'bursar1 ';
const LINE =
	/^(\d{9,11}\.\d{3}) (\d{9,11}\.\d{3}) (-?\d{1,15}) ([0-9A-Fa-f.:]{2,45}) (\d{1,5}) ([A-Z_]{1,64}) (\d{1,16}) (\d{1,16}) ([!-~]+)$/;

/**
 * Reads `bursar1 %ts.%03tu %tS %tr %>a %>p %Ss %>st %<st %#{bursar_user}note`. If a proxy was killed, the rest of its last
 * line stands before the first line of the next one, and is ignored.
 *
 * @returns `undefined` if no account pays for the line, `'unreadable'` if it has another form.
 */
export function readAccessLogLine(line: string): FinishedRequest | 'unreadable' | undefined {
	const from = line.lastIndexOf(MARK);
	const fields = from < 0 ? null : LINE.exec(line.slice(from + MARK.length));
	if (!fields) return 'unreadable';
	const [, end, begin, took, address, port, tag, up, down, name] = fields as unknown as string[];
	// A refused request is logged with the name that was claimed. No account pays for it.
	if ((tag as string).includes('DENIED')) return undefined;
	const username = normalizeUsername(name as string);
	if (username === undefined) return undefined;
	const [bytesUp, bytesDown] = [Number(up), Number(down)];
	if (!Number.isSafeInteger(bytesUp) || !Number.isSafeInteger(bytesDown)) return 'unreadable';
	return {
		username,
		peer: peerName(address as string, port as string),
		begin: begin as string,
		tookMs: Number(took),
		atMs: Math.round(Number(end) * 1000),
		bytesUp,
		bytesDown,
	};
}
