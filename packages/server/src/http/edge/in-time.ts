/** What a read has found; `undefined` if it fails, or takes longer than this. Never rejects. `failed` gets the cause. */
export function inTime<Value>(
	read: Promise<Value>,
	ms: number,
	failed: (cause: unknown) => void = () => {},
): Promise<{ readonly value: Value } | undefined> {
	return new Promise((resolve) => {
		const fail = (cause: unknown) => {
			failed(cause);
			clearTimeout(late);
			resolve(undefined);
		};
		const late = setTimeout(() => fail(TOO_LATE), ms);
		read.then((value) => {
			clearTimeout(late);
			resolve({ value });
		}, fail);
	});
}

/** Made once: thousands of reads may be late together. */
const TOO_LATE = new Error('the store did not answer in time');
