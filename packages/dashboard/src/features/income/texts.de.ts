import type { incomeTexts as english } from './texts.ts';

export const incomeTexts: typeof english = {
	days: 'Tage',
	lastDays: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage' },
	lead: 'Was der Datenverkehr aller Reseller kostet, nach dem UTC-Tag, an dem er entstand. Der Stand ist höchstens fünf Minuten alt.',
	none: 'An diesen Tagen wurde kein Datenverkehr berechnet. Setzen Sie den Preis eines Resellers auf seiner Seite oder mit „bursar reseller price“.',
	byDay: 'Nach Tagen',
	byReseller: 'Nach Resellern',
	byResellerLead:
		'Die 50 Reseller mit den größten Kosten. Was kein Guthaben deckte, schuldet der Reseller, bis es bezahlt ist.',
	reseller: 'Reseller',
	cost: 'Kosten',
	debt: 'Schuldet jetzt',
};
