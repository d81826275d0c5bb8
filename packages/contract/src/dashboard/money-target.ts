/** What an act about money changed: the account, and the amount in USD cents. It is a `target`, like `alice 150`. */
export function moneyTarget(username: string, cents: number): string {
	return `${username} ${cents}`;
}

/** Reads what `moneyTarget` wrote; `undefined` if it is anything else. */
export function readMoneyTarget(target: string): { readonly username: string; readonly cents: number } | undefined {
	const { username, cents } = /^(?<username>[^ ]+) (?<cents>\d{1,16})$/.exec(target)?.groups ?? {};
	return username !== undefined && cents !== undefined ? { username, cents: Number(cents) } : undefined;
}
