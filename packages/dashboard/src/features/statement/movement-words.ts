import type { Movement, MovementMaker } from '@bursar/contract/dashboard';
import { statementTexts } from './texts.ts';

/** Who moved money: an e-mail address, the API, or the operator. */
export function makerText(by: MovementMaker): string {
	return by.kind === 'person' && by.email !== null ? by.email : statementTexts.makers[by.kind];
}

/** The operator's reference and reason, in one line. May be empty. */
export function paymentText({ reference, reason }: Pick<Movement, 'reference' | 'reason'>): string {
	return [reference, reason].filter((text) => text !== '').join(' · ');
}
