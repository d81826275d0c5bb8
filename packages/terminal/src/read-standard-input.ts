/** All text of standard input, or `undefined` if it has more than `mostBytes`. Throws the reason of `stop`. */
export async function readStandardInput(mostBytes: number, stop: AbortSignal): Promise<string | undefined> {
	const { stdin } = process;
	const chunks: Buffer[] = [];
	let bytes = 0;
	const end = () => stdin.destroy(stop.reason);
	stop.addEventListener('abort', end);
	try {
		for await (const chunk of stdin) {
			bytes += (chunk as Buffer).length;
			if (bytes > mostBytes) return undefined;
			chunks.push(chunk as Buffer);
		}
		return Buffer.concat(chunks).toString('utf8');
	} finally {
		stop.removeEventListener('abort', end);
	}
}
