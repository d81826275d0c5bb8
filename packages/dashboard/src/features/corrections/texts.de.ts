import { bytesText } from '../../format/bytes.ts';
import { numberText } from '../../format/number.ts';
import type { correctionTexts as english } from './texts.ts';

export const correctionTexts: typeof english = {
	action: 'Datenverkehr korrigieren',
	title: 'Datenverkehr eines Tages korrigieren',
	intro:
		'Fügt einem UTC-Tag eines Kontos Bytes hinzu oder zieht sie ab. Geld wird nicht bewegt: Um Geld zurückzugeben, laden Sie das Konto auf. Korrekturen werden nie entfernt: Um eine zurückzunehmen, machen Sie eine weitere.',
	reseller: 'Reseller',
	username: 'Konto',
	usernameHint: 'Ein Unterbenutzer, auch ein gelöschter, oder der Reseller selbst.',
	day: 'Tag (UTC)',
	direction: 'Was mit den Bytes geschieht',
	directions: { take: 'Abziehen', add: 'Hinzufügen' },
	down: 'Bytes im Download',
	up: 'Bytes im Upload',
	bytes: (bytes) => `entspricht ${bytesText(bytes)}`,
	bytesHint: 'Ganze Bytes. Leer: keine.',
	noBytes: 'Geben Sie eine ganze Zahl von Bytes ein.',
	reference: 'Referenz',
	referenceHint: 'Ihr eigener Name für diese Korrektur. Jede Referenz zählt einmal.',
	reason: 'Grund',
	reasonHint: 'Die Personen des Resellers können ihn lesen.',
	downNow: 'Download jetzt',
	upNow: 'Upload jetzt',
	downAfter: 'Download danach',
	upAfter: 'Upload danach',
	exact: (bytes) => `${bytesText(bytes)} (${numberText(bytes)} Bytes)`,
	problems: {
		too_few: 'Der Tag hat weniger Bytes.',
		too_many: 'So viele Bytes kann kein Tag haben.',
	},
	correct: 'Tag korrigieren',
	lost: 'Es kam keine Antwort, also ist nicht bekannt, ob der Tag korrigiert wurde. Versuchen Sie es noch einmal: Dieselbe Referenz zählt nie zweimal, und Sie erfahren dann, was daraus wurde.',
	repeatedAct: 'Der Tag wurde einmal korrigiert. Nichts wurde zweimal geändert.',
	done: (down, up) => `Erledigt. Der Tag hat jetzt ${bytesText(down)} im Download und ${bytesText(up)} im Upload.`,
	doneBefore: (reference) =>
		`Eine Korrektur mit der Referenz ${reference} und diesen Bytes gab es schon. Jetzt wurde nichts geändert.`,
};
