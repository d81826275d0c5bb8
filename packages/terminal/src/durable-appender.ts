/** A file to append to. */
interface Appendable {
	appendFile(text: string): Promise<void>;
	/** Resolves once everything that was appended would survive a crash of the machine. */
	flush(): Promise<void>;
}

interface Waiting {
	readonly text: string;
	readonly resolve: () => void;
	readonly reject: (cause: unknown) => void;
}

/**
 * Returns a function that appends a text to a file and resolves when the text is durable. Texts that wait while the
 * disk is busy are written together and share the next flush. A failure may leave a torn text in the file, so nothing
 * is written after it.
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
