import type { ActControl } from '../api/use-act.ts';
import { frameTexts } from '../texts/frame.ts';

/** The title of the dialog of an act: its own, unless the answer was lost. */
export function actTitle(act: Pick<ActControl, 'state'>, title: string): string {
	return act.state === 'open' ? title : frameTexts.lostTitle;
}
