import { texts } from '../../preferences/catalogue.ts';

/** For people who forgot the password. */
export const forgottenTexts = texts('forgottenTexts', {
	link: 'Forgot your password?',
	noMail: 'Forgot your password? This service sends no mail, so ask the operator of it for a link to set a new one.',
	title: 'Forgot your password?',
	lead: 'You get a mail with a link to set a new one. Your second factor stays as it is, and you still need it to sign in.',
	email: 'E-mail address',
	send: 'Send the link',
	sentTitle: 'Look into your mailbox',
	sent: 'If {email} can sign in here, a mail with a link is on its way. The link is good for one hour, and works once.',
	notCame:
		'If nothing comes, look among the unwanted mails. People who have not accepted their invitation yet, or are locked, get no mail: ask the person who invited you, or the operator.',
	noFactor: 'If you have lost your second factor too, ask the operator to reset your access.',
	toSignIn: 'Go to the sign-in page',
});

/** The page that the link opens. */
export const newPasswordTexts = texts('newPasswordTexts', {
	title: 'Choose a new password',
	lead: 'For {email}. All your sessions end, and your second factor stays as it is.',
	noLinkTitle: 'This link is not complete',
	noLink: 'Open the whole link from the mail.',
	email: 'Your e-mail address',
	set: 'Set the password',
	doneTitle: 'Your password was changed',
	done: 'All your sessions have ended. Sign in with the new password, and with your second factor if you have one.',
	again: 'Ask for another link',
});
