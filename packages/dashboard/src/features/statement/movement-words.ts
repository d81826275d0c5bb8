import type { Movement, MovementKind, MovementMaker } from '@bursar/contract/dashboard';
import { statementTexts } from '../../texts/statement.ts';

/** The kinds of movements, in the order in which people look for them. */
export const MOVEMENT_KINDS = Object.keys(statementTexts.kinds) as readonly MovementKind[];

export function isMovementKind(text: string): text is MovementKind {
	return Object.hasOwn(statementTexts.kinds, text);
}

/** Who moved money: an e-mail address, the API, or the operator. */
export function makerText(by: MovementMaker): string {
	return by.kind === 'person' && by.email !== null ? by.email : statementTexts.makers[by.kind];
}

/** The operator's reference and reason, in one line. May be empty. */
export function paymentText({ reference, reason }: Pick<Movement, 'reference' | 'reason'>): string {
	return [reference, reason].filter((text) => text !== '').join(' · ');
}
