import { usd } from '../usd.ts';

/** The `target` of an act about money: the account, and the amount in USD cents, like `alice 150`. */
export function moneyTarget(username: string, cents: number): string {
	return `${username} ${cents}`;
}

/** Reads a target that `moneyTarget` wrote; `undefined` if it is anything else. */
export function readMoneyTarget(target: string): { readonly username: string; readonly cents: number } | undefined {
	const { username, cents } = /^(?<username>[^ ]+) (?<cents>\d{1,16})$/.exec(target)?.groups ?? {};
	return username !== undefined && cents !== undefined ? { username, cents: Number(cents) } : undefined;
}

const ABOUT_MONEY: readonly string[] = [
	'give_balance',
	'take_balance',
	'top_up',
	'adjust',
	'forgive_debt',
	'create_top_up',
];

/** The target of an act, for files and tables: with amounts in dollars. */
export function targetText({ kind, target }: { readonly kind: string; readonly target: string }): string {
	if (kind === 'set_low_balance') return target === '' ? '' : `${usd(Number(target))} USD`;
	const moved = ABOUT_MONEY.includes(kind) ? readMoneyTarget(target) : undefined;
	return moved ? `${moved.username} ${usd(moved.cents)} USD` : target;
}
