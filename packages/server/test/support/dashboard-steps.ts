import type { Locator, Page } from 'playwright-core';
import { accountTexts } from '../../../dashboard/src/features/account/texts.ts';
import { ownActsTexts } from '../../../dashboard/src/features/acts/texts.ts';
import { factorTexts, passwordTexts } from '../../../dashboard/src/features/factors/texts.ts';
import { invitationTexts } from '../../../dashboard/src/features/invitation/texts.ts';
import { proofTexts } from '../../../dashboard/src/features/proof/texts.ts';
import { signInTexts } from '../../../dashboard/src/features/sign-in/texts.ts';
import { shellTexts } from '../../../dashboard/src/shell/texts.ts';
import { type CodesApp, createCodesApp } from './codes-app.ts';
import { PASSWORD } from './dashboard-in-browser.ts';

/** A button by its whole name. */
export function button(page: Page, name: string) {
	return page.getByRole('button', { name, exact: true });
}

export function heading(page: Page, name: string) {
	return page.getByRole('heading', { name, exact: true });
}

/** A field by its whole label. */
export function field(page: Page, label: string) {
	// A list of suggestions has the name of its field.
	return page.getByLabel(label, { exact: true }).and(page.locator(':not([role=listbox])'));
}

/** A dialog by its title. */
export function dialog(page: Page, name: string) {
	return page.getByRole('dialog', { name, exact: true });
}

/** Sets `PASSWORD` on the page of an invitation. */
export async function acceptInvitation(page: Page): Promise<void> {
	await field(page, passwordTexts.password).fill(PASSWORD);
	await field(page, passwordTexts.repeat).fill(PASSWORD);
	await button(page, invitationTexts.accept).click();
}

/** Sets up one-time codes, from the button to the recovery codes, and stores those. */
export async function setUpCodes(page: Page): Promise<{ readonly app: CodesApp; readonly recoveryCodes: string[] }> {
	await button(page, factorTexts.setUpCodes).click();
	const app = createCodesApp(await page.getByRole('group', { name: factorTexts.bySecret }).innerText());
	await field(page, factorTexts.firstCode).fill(app.next());
	await button(page, factorTexts.confirmCode).click();
	return { app, recoveryCodes: await storeRecoveryCodes(page) };
}

/** Clicks a button as the second click of a double click that began on another button does. */
async function clickLate(page: Page, late: Locator): Promise<void> {
	await late.hover();
	await page.mouse.down({ clickCount: 2 });
	await page.mouse.up({ clickCount: 2 });
}

/** Reads the recovery codes that are shown, whatever click comes late, and says that they are stored. */
export async function storeRecoveryCodes(page: Page): Promise<string[]> {
	await clickLate(page, button(page, factorTexts.recoveryStored));
	const codes = await page.getByRole('group', { name: factorTexts.recoveryLabel }).innerText();
	await button(page, factorTexts.recoveryStored).click();
	return codes.split('\n');
}

/** Enters a name for a passkey, and has the browser make it. */
export async function addPasskey(page: Page, name: string): Promise<void> {
	await field(page, factorTexts.passkeyName).fill(name);
	await page.locator('form').getByRole('button', { name: factorTexts.addPasskey, exact: true }).click();
}

/** Enters e-mail address and password on the sign-in page. */
export async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
	await field(page, signInTexts.email).fill(email);
	await field(page, signInTexts.password).fill(password);
	await button(page, signInTexts.signIn).click();
}

/** Enters a code on the sign-in page, which has asked for one. */
export async function enterCode(page: Page, code: string): Promise<void> {
	await field(page, signInTexts.code).fill(code);
	await button(page, signInTexts.signIn).click();
}

/** Proves with the password in the dialog that asks for it. */
export async function prove(page: Page, code?: string): Promise<void> {
	const proof = dialog(page, proofTexts.title);
	await proof.getByLabel(proofTexts.password, { exact: true }).fill(PASSWORD);
	if (code !== undefined) await proof.getByLabel(proofTexts.code, { exact: true }).fill(code);
	await proof.getByRole('button', { name: proofTexts.confirm, exact: true }).click();
}

export async function signOut(page: Page): Promise<void> {
	await page.getByRole('button', { name: shellTexts.userMenu('').trim() }).click();
	await button(page, shellTexts.signOut).click();
	await heading(page, signInTexts.title).waitFor();
}

/** The part of the account page with this title. */
export function accountSection(page: Page, name: 'passkeys' | 'codes' | 'recovery' | 'sessions' | 'acts') {
	const { passkeys, recovery, sessions } = accountTexts;
	const titles = { passkeys, codes: factorTexts.codesTitle, recovery, sessions, acts: ownActsTexts.title };
	return page.getByRole('region', { name: titles[name], exact: true });
}
