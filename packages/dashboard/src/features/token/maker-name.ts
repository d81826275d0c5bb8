import { tokenTexts } from './texts.ts';

/** Who made a token, for the person with this e-mail address. */
export function makerName(madeBy: string, email: string): string {
	if (madeBy === 'operator') return tokenTexts.operator;
	return madeBy === email ? tokenTexts.you : madeBy;
}
