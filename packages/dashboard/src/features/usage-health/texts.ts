import { textsWith } from '../../preferences/catalogue.ts';

const VALUES = { longestLine: 65_536 };

export const usageTexts = textsWith('usageTexts', VALUES, {
	lead: 'What became of the reports of bandwidth that arrived in the last 90 UTC days.',
	none: 'No reports arrived in the last 90 days. They come from edges, or with “bursar usage import”.',

	refused: 'Refused, by reason',
	refusedLead: 'These reports were not counted. All others that arrived with them were.',
	nothingRefused: 'No report was refused in the last 90 days.',
	times: { one: '{count} report', other: '{count} reports' },
	lastRefused: 'Refused last',
	lastRefusedLead: 'Reports with the same source, account and reason stand in one row, with what the last one said.',
	arrived: 'Arrived',
	source: 'Source',
	imported: '{source} (import)',
	account: 'Account',
	of: 'of',
	reason: 'Reason',
	usedAt: 'Dated',
	bytes: 'Bytes',
	unread: 'unreadable',
	correctionsLead: 'Days that operators corrected here or with “bursar usage correct”, the last 50.',
	reseller: 'Reseller',
	reference: 'Reference',
	by: 'By',
	days: 'By day',
	daysLabel: 'Reports by the day on which they arrived',
	day: 'Day (UTC)',
	counted: 'Counted',
	repeated: 'Repeated',
	refusedCount: 'Refused',
	repeatedHint:
		'A repeat was counted before, and adds nothing. It is normal after an import was interrupted, and when an edge sends a report again.',

	unknownReason: {
		means: 'This page does not know this reason.',
		todo: 'Look it up in the operating guide of the version that runs.',
	},
	/** What each reason means, and what to do. */
	reasons: {
		not_json: {
			means: 'The line is not one JSON object, or is longer than {longestLine} characters.',
			todo: 'Look at the line that “bursar usage import” named. The program that writes the reports must write one object in each line.',
		},
		invalid_report: {
			means: 'The report lacks one of its fields, or a name in it is too long.',
			todo: 'Correct the program that writes the reports: an import needs source, id, username, timestamp, up and down in each line, an edge counter, username, up, down and at.',
		},
		invalid_timestamp: {
			means: 'The time is not ISO 8601 with a zone.',
			todo: 'Have the program write times like 2026-11-21T10:00:00Z, then import the corrected lines again.',
		},
		invalid_counter: {
			means: 'The bytes are not a whole number of 0 or more.',
			todo: 'Correct the program that writes the reports, then import the corrected lines again.',
		},
		unknown_username: {
			means: 'No account has that name.',
			todo: 'Check whether the proxy uses the names of this platform. If the name was wrong, correct the line and import it again.',
		},
		timestamp_ahead: {
			means: 'The report is dated more than 5 minutes in the future.',
			todo: 'Set the clock of the machine that wrote it. Then import the file again: reports that are not in the future any more count. “bursar-edge” sends such reports again by itself.',
		},
		timestamp_too_old: {
			means:
				'The report is dated before today and the 120 days before it (UTC). Repeats are recognised only that long.',
			todo: 'It cannot be counted any more. Import reports daily, and check the clocks of the proxies.',
		},
		counter_overflow: {
			means: 'With it, the total of a day would be larger than any counter.',
			todo: 'The bytes in it are most likely wrong. Correct the program that writes the reports.',
		},
		too_fast: {
			means:
				'An edge reported more bytes than it can have carried since its previous report, at the highest rate that is set (BURSAR_EDGE_MAX_GBPS).',
			todo: 'If the edge was away, the bytes count by themselves, a little later. Otherwise its counters are wrong, or another person has its key: revoke the key, and mend days with “bursar usage correct”.',
		},
		conflict: {
			means:
				'A report with the same source and id, but with other content, was counted. Or a counter of an edge belongs to another account.',
			todo: 'Each report needs an id of its own, and each counter one account. Look whether a proxy starts its ids anew after a restart.',
		},
	},
});
