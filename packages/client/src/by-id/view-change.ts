import type { RecordedChange } from '../accounts.ts';
import { readRecordedChange } from '../answers.ts';
import type { Call } from '../call.ts';
import type { Exchange } from '../exchange.ts';
import { read } from '../read.ts';

/** What the change with this id did; `undefined` if the service knows none now. */
export async function viewChange(call: Call, changeId: string): Promise<RecordedChange | undefined> {
	return (await read(call, lookFor(changeId))) ?? undefined;
}

/** The request that looks for a change. */
export function lookFor(changeId: string): Exchange<RecordedChange | null> {
	return { operation: 'viewChange', body: { change_id: changeId }, readData: readRecordedChange(changeId) };
}
