/** A file that texts are appended to. */
interface Appendable {
	appendFile(text: string): Promise<void>;
	/** Resolves once all that was appended would survive a crash of the machine. */
	flush(): Promise<void>;
}

interface Waiting {
	readonly text: string;
	readonly resolve: () => void;
	readonly reject: (cause: unknown) => void;
}

/**
 * Appends texts to a file, each of which resolves when it is durable. All that wait while the disk is
 * busy are written together and share the next flush. After a failure, whatever is in the file is only
 * known to be whole up to there: nothing is written behind it.
 */
export function durableAppender(file: Appendable): (text: string) => Promise<void> {
	let waiting: Waiting[] = [];
	let isWriting = false;
	let failure: { readonly cause: unknown } | undefined;

	async function write(group: readonly Waiting[]): Promise<void> {
		try {
			if (failure) throw failure.cause;
			await file.appendFile(group.map(({ text }) => text).join(''));
			await file.flush();
			for (const { resolve } of group) resolve();
		} catch (cause) {
			failure ??= { cause };
			for (const { reject } of group) reject(cause);
		}
	}

	async function writeAll(): Promise<void> {
		isWriting = true;
		while (waiting.length > 0) {
			const group = waiting;
			waiting = [];
			await write(group);
		}
		isWriting = false;
	}

	return (text) =>
		new Promise((resolve, reject) => {
			waiting.push({ text, resolve, reject });
			if (!isWriting) void writeAll();
		});
}
