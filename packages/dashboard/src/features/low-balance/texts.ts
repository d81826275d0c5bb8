import { texts } from '../../preferences/catalogue.ts';

/** The dialog that sets a warning of a low balance. */
export const lowBalanceTexts = texts('lowBalanceTexts', {
	changeBound: 'Change the warning',
	setBound: 'Set a warning',
	boundTitle: 'Warning of a low balance',
	boundIntro: 'This page warns all people of this account while the balance is below this amount.',
	bound: 'Warn below, in US dollars',
	save: 'Save',
	noWarning: 'Do not warn',
	boundRepeated: 'It was done: the warning is as you have set it, unless another person has changed it since.',
	mailToo: 'Also send me a mail',
	mailTooNote: 'One mail when the balance falls below the amount. Your colleagues choose for themselves.',
	mailIsOn: 'You also get a mail when that happens. The account page turns it off.',
	noMail: 'This service sends no mail, so the warning is only on this page.',
});
