import type { MovementNote } from '../../domain/ledger.ts';
import type { BatchChanges } from '../../domain/working-books.ts';
import type { SharedStatement } from '../people/person-rows.ts';

/** Writes the notes on the movements of a batch. Only people write them, so they are few. */
export function noteWrites({ movementNotes }: Pick<BatchChanges, 'movementNotes'>): readonly SharedStatement[] {
	return movementNotes.map(addingNote);
}

function addingNote({ requestId, reseller, note }: MovementNote): SharedStatement {
	return {
		sql: 'INSERT INTO movement_notes (request_id, reseller, note) VALUES ($1, $2, $3)',
		values: [requestId, reseller, note],
		rows: 1,
	};
}
