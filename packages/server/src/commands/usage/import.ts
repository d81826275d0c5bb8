import type { CommandLineAct } from '../../domain/people/act.ts';
import { DONE, type Done, type PersonVerb } from '../person-verb.ts';

interface ImportUsage {
	readonly kind: 'import_usage';
	readonly recorded: CommandLineAct;
}

/** Records that usage reports are imported. The reports follow, in transactions of their own. */
export const importUsage: PersonVerb<ImportUsage, Done, never> = {
	kind: 'import_usage',
	calls: [],
	owner: () => 'operator',
	needs: () => ({}),
	decide: (_, { recorded }, nowMs) => ({
		outcome: DONE,
		effects: [{ kind: 'record_act', act: { ...recorded, reseller: null, atMs: nowMs } }],
	}),
};
