import type { StoredMovement } from '../../store/tables/ledger/movements.ts';
import { movementView } from '../movement-view.ts';

/** A movement as programs of the operator see it. */
export function operatorMovementView(row: StoredMovement) {
	const { kind, reason, note } = row;
	return { ...movementView(row), reason: (kind === 'debt_forgiven' ? note : reason) || null };
}
