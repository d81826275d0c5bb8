// A client that sends as much as it can. On each connection it keeps many requests ahead of their answers.
// Reads a `Flood` as JSON from standard input, stops by itself, and prints `Flooded`.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

export interface Flood {
	readonly url: string;
	/** A complete request as text. */
	readonly request: string;
	readonly connections: number;
	/** How many requests are sent ahead on each connection. */
	readonly ahead: number;
	readonly seconds: number;
	/** Answers with this status count; all others are unexpected. */
	readonly status: number;
}

export interface Flooded {
	readonly answers: number;
	/** With another status. */
	readonly others: number;
}

const STATUS_LINE = 'HTTP/1.1 ';

const flood = JSON.parse(await text(process.stdin)) as Flood;
const counts = await Promise.all(Array.from({ length: flood.connections }, () => sendAhead(flood)));
const sum = (of: keyof Flooded) => counts.reduce((total, count) => total + count[of], 0);
process.stdout.write(JSON.stringify({ answers: sum('answers'), others: sum('others') }));

/** Keeps requests ahead on a new connection until the time is over. */
async function sendAhead({ url, request, ahead, seconds, status }: Flood) {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname).setNoDelay(true);
	const counts = { answers: 0, others: 0 };
	let rest = '';
	socket.on('error', (error) => process.stderr.write(`flood: ${error.message}\n`));
	socket.on('data', (chunk) => {
		const received = rest + chunk.toString('latin1');
		let came = 0;
		for (let at = received.indexOf(STATUS_LINE); at !== -1; at = received.indexOf(STATUS_LINE, at + 1)) {
			const statusAt = at + STATUS_LINE.length;
			// A status line that is cut off counts with the next chunk.
			if (received.length < statusAt + 3) break;
			counts[Number(received.slice(statusAt, statusAt + 3)) === status ? 'answers' : 'others']++;
			came++;
		}
		const cutAt = received.lastIndexOf('H');
		const isCut =
			cutAt > received.length - STATUS_LINE.length - 3 && STATUS_LINE.startsWith(received.slice(cutAt, cutAt + 9));
		rest = isCut ? received.slice(cutAt) : '';
		if (came > 0) socket.write(request.repeat(came));
	});
	socket.write(request.repeat(ahead));
	await setTimeout(seconds * 1000);
	socket.removeAllListeners('data');
	socket.destroy();
	return counts;
}
