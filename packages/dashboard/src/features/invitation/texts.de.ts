import type { invitationTexts as english } from './texts.ts';

export const invitationTexts: typeof english = {
	title: 'Willkommen bei Bursar',
	noLinkTitle: 'Dieser Link ist nicht vollständig',
	noLink: 'Öffnen Sie den ganzen Link, den Sie erhalten haben. Wenn Sie ihn schon benutzt haben, melden Sie sich an.',
	forReseller: {
		owner: (reseller) => `Sie sind als Inhaber des Resellers ${reseller} eingeladen. Wählen Sie ein Passwort.`,
		manager: (reseller) => `Sie sind als Manager des Resellers ${reseller} eingeladen. Wählen Sie ein Passwort.`,
		viewer: (reseller) => `Sie sind als Leser des Resellers ${reseller} eingeladen. Wählen Sie ein Passwort.`,
	},
	forOperator: 'Sie sind als Betreiber dieses Dienstes eingeladen. Wählen Sie ein Passwort.',
	forFirst:
		'Wer diesen Link benutzt, wird der erste Betreiber dieses Dienstes. Wählen Sie die E-Mail-Adresse und das Passwort, mit denen Sie sich anmelden.',
	badEmail: 'Das ist keine E-Mail-Adresse.',
	againTitle: 'Wählen Sie ein neues Passwort',
	again: 'Damit melden Sie sich von jetzt an an. Ihr bisheriges Passwort, Ihre Passkeys und Codes wurden entfernt.',
	signsIn: (email) => `Dieser Link meldet Sie als ${email} an. Er gilt einmal.`,
	email: 'Ihre E-Mail-Adresse',
	accept: 'Passwort festlegen und anmelden',
	signIn: 'Anmelden',
	toSignIn: 'Zur Anmeldung',
};
