/**
 * What a reseller owes for bandwidth that no balance covered (docs/decisions/0074-debts.md). It is above zero only if the
 * reseller's balance in the ledger is zero.
 */
export interface Debt {
	readonly reseller: string;
	/** USD cents. */
	readonly cents: number;
	/** Beyond this debt, the proxies refuse all pairs of the reseller while its bandwidth has a price. USD cents. */
	readonly lineCents: number;
}

export function isBeyondLine({ cents, lineCents }: Pick<Debt, 'cents' | 'lineCents'>): boolean {
	return cents > lineCents;
}
