import type { TokenState } from '@bursar/contract/dashboard';
import type { Page } from 'playwright-core';
import { tokenTexts } from '../../../dashboard/src/features/token/texts.ts';
import { secretTexts } from '../../../dashboard/src/secrets/texts.ts';
import type { Visitor } from './dashboard-in-browser.ts';
import { button, dialog } from './dashboard-steps.ts';

/** Asks for a rotation in the dialog on the token page. */
export async function rotate(page: Page, overlapSeconds: 0 | 60 | 240): Promise<void> {
	await button(page, tokenTexts.rotate).click();
	const form = dialog(page, tokenTexts.rotate);
	await form.getByRole('radio', { name: tokenTexts.overlaps[overlapSeconds] }).check();
	await form.getByRole('button', { name: tokenTexts.rotateNow, exact: true }).click();
}

/** Asks for the end of all tokens in the dialog on the token page. */
export async function endAllTokens(page: Page): Promise<void> {
	await button(page, tokenTexts.endAll).click();
	await dialog(page, tokenTexts.endAll).getByRole('button', { name: tokenTexts.endAll, exact: true }).click();
}

/** The new token that the page shows. */
export function shownToken(page: Page): Promise<string> {
	return page.getByRole('group', { name: tokenTexts.newLabel }).innerText();
}

/** Says that the new token is stored. */
export async function storeToken(page: Page): Promise<string> {
	const token = await shownToken(page);
	await button(page, secretTexts.stored).click();
	await dialog(page, tokenTexts.newTitle).waitFor({ state: 'detached' });
	return token;
}

/** Waits until the page shows the tail of this token. */
export async function showsTailOf(page: Page, token: string): Promise<void> {
	await page.getByRole('status', { name: tokenTexts.tailLabel(token.slice(-4)) }).waitFor();
}

/** What the server says of the tokens. */
export async function tokenState({ read }: Visitor): Promise<TokenState> {
	return (await (await read('/token')).json()).data;
}
