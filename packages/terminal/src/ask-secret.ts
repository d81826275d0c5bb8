import { visible } from '@bursar/contract/visible';
import { standardError } from './standard-error.ts';

/** @bound Characters of a secret that is typed, far more than it has: what is typed after that is ignored. */
const MOST_CHARACTERS = 64 * 1024;

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_U = '\u0015';
const BACKSPACES = ['\u007f', '\b'];

/**
 * Asks on the terminal, which does not show what is typed. Resolves with the trimmed line. Throws the reason of `stop`.
 * The terminal sends Ctrl-C as a character meanwhile, so this makes it a signal again.
 */
export async function askSecret(question: string, stop: AbortSignal): Promise<string> {
	const { stdin } = process;
	stop.throwIfAborted();
	// Before the question, because the answer may come with it.
	stdin.setRawMode(true);
	try {
		standardError().write(`${visible(question)} `);
		return (await typedLine(stop)).trim();
	} finally {
		stdin.setRawMode(false);
		standardError().write('\n');
	}
}

function typedLine(stop: AbortSignal): Promise<string> {
	const { stdin } = process;
	return new Promise((resolve, reject) => {
		let line = '';
		const end = (settle: () => void) => {
			stdin.off('data', onData).off('end', onEnd).pause();
			stop.removeEventListener('abort', onStop);
			settle();
		};
		const onEnd = () => end(() => resolve(line));
		const onStop = () => end(() => reject(stop.reason));
		const onData = (chunk: Buffer) => {
			for (const character of chunk.toString('utf8')) {
				if (character === '\r' || character === '\n' || character === CTRL_D) return onEnd();
				if (character === CTRL_C) process.kill(process.pid, 'SIGINT');
				else if (character === CTRL_U) line = '';
				else if (BACKSPACES.includes(character)) line = line.slice(0, -1);
				else if (character >= ' ' && line.length < MOST_CHARACTERS) line += character;
			}
		};
		stdin.on('data', onData).on('end', onEnd);
		stop.addEventListener('abort', onStop);
	});
}
