import { numberText } from '../../format/number.ts';
import type { meteringTexts as english } from './metering-texts.ts';

const MOST_DAYS = 365;

export const meteringTexts: typeof english = {
	title: 'Wie lange Guthaben reichen',
	lead: 'Datenverkehr wird aus dem Guthaben des Kontos bezahlt, das ihn benutzt. Gerechnet wird mit den letzten sieben Tagen.',
	own: 'Ihr eigenes Guthaben',
	allSubUsers: 'Alle Unterbenutzer zusammen',
	weekCost: 'Kosten von 7 Tagen',
	daysLeft: 'Reicht etwa',
	days(days) {
		if (days === null) return 'nichts benutzt';
		if (days < 1) return 'weniger als einen Tag';
		const whole = Math.floor(days);
		if (whole > MOST_DAYS) return 'mehr als ein Jahr';
		return whole === 1 ? '1 Tag' : `${whole} Tage`;
	},
	whose: 'Guthaben von',
	balance: 'Guthaben',
	subUser: 'Unterbenutzer',
	runningOut: 'Unterbenutzer, deren Guthaben als Nächstes aufgebraucht ist',
	noneRunningOut: 'Kein Unterbenutzer mit Guthaben hat in den letzten sieben Tagen etwas benutzt.',
	ranOut: (count) =>
		count === 1
			? '1 Unterbenutzer hat sein Guthaben aufgebraucht'
			: `${numberText(count)} Unterbenutzer haben ihr Guthaben aufgebraucht`,
	ranOutTable: 'Unterbenutzer, deren Guthaben aufgebraucht ist',
	ranOutLead:
		'Ihr Guthaben ist aufgebraucht, deshalb lehnen die Proxys sie ab, bis Sie ihnen welches geben. Die Liste nennt die, die am meisten benutzt haben.',
	noneRanOut: 'Kein Unterbenutzer hat sein Guthaben aufgebraucht.',
	asOf: 'Stand:',
};
