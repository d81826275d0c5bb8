import { spinner } from '@clack/prompts';

/** Shows that something goes on. */
export interface Progress {
	update(message: string): void;
}

/** Runs what takes long, with a spinner on a terminal and in silence elsewhere. It never touches stdout. */
export async function withSpinner<Result>(
	message: string,
	work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
	if (!process.stderr.isTTY) return work({ update() {} });
	const shown = spinner({ output: process.stderr });
	shown.start(message);
	try {
		const result = await work({ update: (text) => shown.message(text) });
		shown.stop(message);
		return result;
	} catch (error) {
		shown.error(message);
		throw error;
	}
}
