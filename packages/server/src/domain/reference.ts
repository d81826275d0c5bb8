import { isSeenWord } from '@bursar/contract/readable';

/** @bound Characters of a reference, or of the reason of a payment or a correction: a longer one is refused. */
const MAX_CHARACTERS = 200;

/**
 * Whether a payment may have this name. Two names must differ in something that people can see and write in one way only. So
 * all characters must be visible and in NFKC form, with single spaces between words.
 */
export function isReference(text: string): boolean {
	if ([...text].length > MAX_CHARACTERS || text !== text.normalize('NFKC')) return false;
	return text.split(' ').every(isSeenWord);
}

/** References of payments that providers confirm begin so. People and programs give no such reference. */
const PROVIDERS = ['stripe:', 'btcpay:'];

/** Whether only a payment provider may name a payment so. */
export function isProvidersReference(text: string): boolean {
	const lower = text.toLowerCase();
	return PROVIDERS.some((beginning) => lower.startsWith(beginning));
}
